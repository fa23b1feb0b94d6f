import { isRecorded } from '../emails/instants';
import type { Event } from '../events/model';
import type { Consumer } from '../fan-out/consumers';
import { databaseNow } from '../mongo/clock';
import { inTransaction } from '../mongo/transaction';
import { emailStatuses } from '../rules/conditions/inventory';
import { planAt } from './plan';
import type { PlannedSegment } from './plan';
import { settle } from './settle';

/** Lets contacts enter and leave dynamic segments by what they do: each event is judged for its contact by the segments that it may change. */
export const followSegments: Consumer = {
  name: 'segments',
  async handle(_core, event, version) {
    const { projectId, contactId, testMode, depth, enrols } = event;
    if (contactId === null) return;
    const order = (await planAt(projectId, version)).concerning(event);
    if (order.length === 0) return;
    await untilRecorded(event, order);
    const cause = { testMode, depth, ...(enrols === false && { enrols }) };
    await inTransaction(async (session) => settle(session, projectId, [contactId], order, { ...cause, at: await databaseNow() }));
  },
};

const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640] as const;
/** A message of which it is told for so long and not recorded will not be recorded by the one who told it. */
const GIVEN_UP_MS = 5 * 60_000;

const STATUS_EVENT = /^email\.(sent|delivered|opened|clicked|bounced|complained)$/;

type Status = Parameters<typeof isRecorded>[2];

/** What becomes of a message is told a moment before the ledger holds it (docs/delivery.md), and conditions on e-mails read the ledger. */
async function untilRecorded({ projectId, name, emailId, testMode, receivedAt }: Event, order: readonly PlannedSegment[]): Promise<void> {
  const status = STATUS_EVENT.exec(name)?.[1] as Status | undefined;
  if (status === undefined || emailId === null || testMode) return;
  if (!order.some(({ tree }) => emailStatuses(tree).includes(status))) return;
  for (const waitMs of WAITS_MS) {
    if (await isRecorded(projectId, emailId, status)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  const age = (await databaseNow()).getTime() - receivedAt.getTime();
  if (age < GIVEN_UP_MS) throw new Error(`The ledger does not hold yet that ${emailId} was ${status}`);
}
