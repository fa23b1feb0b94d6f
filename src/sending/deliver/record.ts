import { countDeliveries, refreshReputation } from '../../records/billing';
import type { Core } from '../../platform/core';
import { notBegunAgain, settle } from '../../records/emails';
import type { Email } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import { emitTogether } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { findProject } from '../../records/projects';
import { countMail, happeningsOf } from '../../records/stats';
import { suppress } from '../../records/suppressions';
import { eventOf } from './delivery-events';
import { emitCounted } from './emit-counted';
import { countInCampaignsLater, laterCounts, mayOutlastCampaign, settleCounted } from './later-counts';
import type { Outcome } from './outcome';
import { listAfterSoftBounces } from './soft-bounces';

export interface Finished {
  readonly email: Email;
  readonly attemptId: string;
  readonly outcome: Outcome;
}

/**
 * Writes what became of messages. Each step may be repeated, and the ledger comes last, so no transaction is needed (one costs the database four
 * times as much for a flush): a message whose row is settled has its events and its suppression.
 *
 * | killed            | found                                            | happens                                                        |
 * |-------------------|--------------------------------------------------|----------------------------------------------------------------|
 * | before the events | `sending`                                        | in doubt: sent again after the lease                           |
 * | before the ledger | `sending`, events (suppression, counts)          | the same; its events are there already, the counts are repeated |
 * | the same, grouped | `sending`, a group of events that names it       | known to be accepted: settled by whoever takes it over          |
 * | after the ledger  | settled                                          | nothing                                                        |
 *
 * Messages of a slice that others have `takenOver` have events of their own, under the ids that the next attempt uses.
 */
export async function record(core: Pick<Core, 'log'>, finished: readonly Finished[], takenOver = false): Promise<void> {
  await tellResults(core, finished, takenOver);
  await settleResults(core, finished);
}

/** The first half: events, suppressions, counts. Resolves to the messages that a group names: they are known to be accepted, and their rows can wait. */
export async function tellResults(core: Pick<Core, 'log'>, finished: readonly Finished[], takenOver = false): Promise<ReadonlySet<string>> {
  const [{ alone, grouped }] = await Promise.all([tell(finished, takenOver), suppressBounced(finished)]);
  await countOnce(core, finished, alone);
  await countHardBounces(core, finished);
  return grouped;
}

/** The second half: the ledger. */
export async function settleResults(core: Pick<Core, 'log'>, finished: readonly Finished[]): Promise<void> {
  const settlements = finished.map(({ email, attemptId, outcome }) => ({ email, attemptId, set: outcome.set }));
  const atOnce = settlements.filter((settlement) => !mayOutlastCampaign(settlement));
  const [early, outlasting] = await Promise.all([settle(atOnce), settleCounted(settlements.filter(mayOutlastCampaign))]);
  const settled = early + outlasting;
  if (settled < finished.length) {
    core.log.warn({ late: finished.length - settled }, 'Results came after other workers had begun the messages again');
  }
  countInCampaignsLater(core, early < atOnce.length ? await notBegunAgain(atOnce) : atOnce);
}

interface Telling {
  readonly alone: readonly Finished[];
  readonly grouped: ReadonlySet<string>;
}

/**
 * A message that was begun before may have events already, from the attempt that was lost: it goes under its own ids, and is counted with them. Resolves to
 * the others that have events of their own, and to those in groups: the statistics count these from there.
 */
async function tell(finished: readonly Finished[], takenOver: boolean): Promise<Telling> {
  const isFirst = ({ email, outcome }: Finished): boolean => !takenOver && outcome.accepted && email.attempts === 1;
  const first = finished.filter(isFirst);
  const others = finished.filter((one) => !isFirst(one));
  const [grouped] = await Promise.all([emitTogether(first.map(eventsOf)), emitCounted(others.flatMap(eventsOf))]);
  return { alone: first.filter(({ email }) => !grouped.has(email._id)), grouped };
}

/** Campaign mail is claimed without a word: that it was queued is told with what became of it, once for all attempts. */
export const eventsOf = ({ email, outcome }: Finished): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...outcome.events] : outcome.events;

/** How many they are. */
export const eventCountOf = ({ email, outcome }: Finished): number => outcome.events.length + (email.source === 'campaign' ? 1 : 0);

const counted = new WeakSet<readonly Finished[]>();

/** Counts in the statistics and in the reputation; of many at once, a moment later. Results that are recorded again because a step failed were counted before. */
async function countOnce(core: Pick<Core, 'log'>, finished: readonly Finished[], alone: readonly Finished[]): Promise<void> {
  if (counted.has(finished)) return;
  counted.add(finished);
  try {
    await Promise.all([
      countMail(alone.flatMap(({ outcome }) => outcome.events.flatMap(happeningsOf))),
      countDeliveries(acceptedOf(alone)),
    ]);
  } catch (error) {
    counted.delete(finished);
    throw error;
  }
  const told = new Set(alone);
  laterCounts(core).deliveries.add(acceptedOf(finished.filter((one) => !told.has(one))));
}

export const acceptedOf = (finished: readonly Finished[]) =>
  finished.filter(({ outcome }) => outcome.accepted).map(({ email: { projectId } }) => ({ projectId, sent: 1, bounced: 0 }));

/** A hard bounce may change the project's reputation, which is judged by what was accepted too. */
export async function countHardBounces(core: Pick<Core, 'log'>, finished: readonly Finished[]): Promise<void> {
  const bounced = finished
    .filter(({ outcome }) => outcome.hardBounce)
    .map(({ email: { projectId } }) => ({ projectId, sent: 1, bounced: 1 }));
  if (bounced.length === 0) return;
  await laterCounts(core).deliveries.flush();
  await countDeliveries(bounced);
  for (const projectId of new Set(bounced.map((bounce) => bounce.projectId)))
    if (await findProject(projectId)) await refreshReputation(projectId, new Date());
}

/** An address that does not exist at once, one that is full for days when it is enough. */
export async function suppressBounced(finished: readonly Finished[]): Promise<void> {
  for (const { email, outcome } of finished) {
    const isSoft = outcome.set.bounceType === 'soft';
    if (!outcome.hardBounce && !isSoft) continue;
    const project = await findProject(email.projectId);
    // Removed while the message was on the wire.
    if (project === null) continue;
    const at = new Date();
    await inTransaction(async (session) => {
      if (isSoft) await listAfterSoftBounces(session, project, email, at);
      else await suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at });
    });
  }
}
