import { statusOfEvent, untilRecorded } from '../../records/emails';
import type { Event } from '../../records/events';
import type { Consumer } from '../../records/fan-out';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { emailStatuses } from '../../rules/conditions/inventory';
import { planAt } from './load-plan';
import type { PlannedSegment } from './plan';
import { updateMemberships } from './memberships';

/** Lets contacts enter and leave dynamic segments by what they do: each event is judged for its contact by the segments that it may change. */
export const followSegments: Consumer = {
  name: 'segments',
  async handle(_core, event, version) {
    const { projectId, contactId, testMode, depth, enrols } = event;
    if (contactId === null) return;
    const order = (await planAt(projectId, version)).concerning(event);
    if (order.length === 0) return;
    await untilLedgerHasStatus(event, order);
    const cause = { testMode, depth, ...(enrols === false && { enrols }) };
    await inTransaction(async (session) =>
      updateMemberships(session, projectId, [contactId], order, { ...cause, at: await databaseNow() }),
    );
  },
};

/** Waits for the ledger: events of a message are emitted a moment before the ledger holds their status (docs/delivery.md), and conditions on e-mails read the ledger. */
async function untilLedgerHasStatus(event: Event, order: readonly PlannedSegment[]): Promise<void> {
  const status = statusOfEvent(event.name);
  if (status === null || event.testMode) return;
  if (order.some(({ tree }) => (emailStatuses(tree) as readonly string[]).includes(status))) await untilRecorded(event);
}
