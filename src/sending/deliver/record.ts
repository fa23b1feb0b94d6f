import type { ClientSession } from 'mongoose';
import { untilDone } from '../../platform/async';
import type { Core, ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { notBegunAgain, otherOutcomes, settle } from '../../records/emails';
import type { Email, Outcome } from '../../records/emails';
import { emit, emitTogether, storedIds } from '../../records/events';
import type { EmailEvent, NewEvent } from '../../records/events';
import { findProject } from '../../records/projects';
import { countMailIn, happeningsOf } from '../../records/stats';
import { suppress } from '../../records/suppressions';
import { isGivenUp } from '../../rules/soft-bounces';
import { countHardBounces, countInCampaignsLater, countOnce, mayOutlastCampaign, settleCounted } from './counts';
import { eventOf } from './outcome';

/**
 * Records the outcomes of messages. Each step may be repeated, and the ledger comes last, so no transaction is needed (one costs the database four
 * times as much for a flush): a message whose row is settled has its events and its suppression.
 *
 * | killed            | found                                            | happens                                                        |
 * |-------------------|--------------------------------------------------|----------------------------------------------------------------|
 * | before the events | `sending`                                        | in doubt: sent again after the lease                           |
 * | before the ledger | `sending`, events (suppression, counts)          | the same; its events are there already, the counts are repeated |
 * | the same, grouped | `sending`, a group of events that names it       | known to be accepted: settled when it is taken over             |
 * | after the ledger  | settled                                          | nothing                                                        |
 *
 * Messages of a slice that others have `takenOver` have events of their own, under the ids that the next attempt uses.
 */
export async function record(core: Pick<Core, 'log'>, finished: readonly Outcome[], takenOver = false): Promise<void> {
  await recordEvents(core, finished, takenOver);
  await settleResults(core, finished);
}

/** Records the first half: events, suppressions, counts. Resolves to the messages that a group names: they are known to be accepted, and their rows can wait. */
async function recordEvents(core: Pick<Core, 'log'>, finished: readonly Outcome[], takenOver = false): Promise<ReadonlySet<string>> {
  const [{ alone, grouped }] = await Promise.all([emitResults(finished, takenOver), suppressBounced(finished)]);
  await countOnce(core, finished, alone);
  await countHardBounces(core, finished);
  return grouped;
}

/** Records the second half: the ledger. */
async function settleResults(core: Pick<Core, 'log'>, finished: readonly Outcome[]): Promise<void> {
  const atOnce = finished.filter((outcome) => !mayOutlastCampaign(outcome));
  const [early, outlasting] = await Promise.all([settle(atOnce), settleCounted(finished.filter(mayOutlastCampaign))]);
  const settled = early + outlasting;
  if (settled < finished.length) {
    core.log.warn({ late: finished.length - settled }, 'Results came after other workers had begun the messages again');
  }
  countInCampaignsLater(core, early < atOnce.length ? await notBegunAgain(atOnce) : atOnce);
}

interface EmittedResults {
  readonly alone: readonly Outcome[];
  readonly grouped: ReadonlySet<string>;
}

/**
 * Emits the events of results. A message with an earlier attempt may have events already, from an attempt that was lost: its events go under their own ids,
 * and are counted as they are stored. Resolves to the other messages with events of their own, and to those in groups, which the statistics count from there.
 */
async function emitResults(finished: readonly Outcome[], takenOver: boolean): Promise<EmittedResults> {
  const isFirst = ({ email, accepted }: Outcome): boolean => !takenOver && accepted && email.attempts === 1;
  const first = finished.filter(isFirst);
  const others = finished.filter((one) => !isFirst(one));
  const [grouped] = await Promise.all([emitTogether(first.map(eventsOf)), emitCounted(others.flatMap(eventsOf))]);
  return { alone: first.filter(({ email }) => !grouped.has(email._id)), grouped };
}

/**
 * Stores events, some of which a lost attempt or a failed step may have stored before, and counts the new ones in the statistics: both
 * in one transaction, so that each is counted once. Throws when another process stores one of them at the same moment; repeated, it finds it.
 */
export async function emitCounted(events: readonly (NewEvent & { readonly id: string })[]): Promise<void> {
  if (events.length === 0) return;
  await inTransaction(async (session) => {
    const stored = await storedIds(
      session,
      events.map(({ id }) => id),
    );
    const missing = events.filter(({ id }) => !stored.has(id));
    await emit(session, missing);
    await countMailIn(session, missing.flatMap(happeningsOf));
  });
}

/** Lists the events to emit. Campaign mail emits nothing when it is claimed, so `email.queued` comes with the outcome of its first attempt. */
export const eventsOf = ({ email, events }: Outcome): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...events] : events;

/** Counts the events that `eventsOf` would list. */
export const eventCountOf = ({ email, events }: Outcome): number => events.length + (email.source === 'campaign' ? 1 : 0);

/** Suppresses an address that does not exist at once, and one with soft bounces after enough of them. */
export async function suppressBounced(finished: readonly Outcome[]): Promise<void> {
  for (const { email, set, hardBounce } of finished) {
    const isSoft = set.bounceType === 'soft';
    if (!hardBounce && !isSoft) continue;
    const project = await findProject(email.projectId);
    // The project was removed while the message was on the wire.
    if (project === null) continue;
    const at = new Date();
    await inTransaction(async (session) => {
      if (isSoft) await listAfterSoftBounces(session, project, email, at);
      else await suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at });
    });
  }
}

/** Suppresses an address with repeated soft bounces (docs/delivery.md, Refusals), in the transaction of a soft bounce. */
export async function listAfterSoftBounces(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  email: Pick<Email, '_id' | 'projectId' | 'to'>,
  at: Date,
): Promise<void> {
  const outcomes = [...(await otherOutcomes(session, email, project.idSalt)), { kind: 'soft', at } as const];
  if (isGivenUp(outcomes)) await suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at });
}

const SETTLE_MS = 20;
/** Rows that are written at once; while as many wait, nothing more is recorded. */
const MOST = 500;

/**
 * Records results, and retries until it succeeds: an acknowledged message outlives an outage of the database. A message that a group of events names is known
 * to be accepted; a take-over settles it and does not send it again. So no lane waits for its row, and the rows of several recordings are one write.
 */
export class Recorder {
  private waiting: Outcome[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly core: Pick<Core, 'log'>,
    /** Called with results whose rows are written. */
    private readonly settled: (results: readonly Outcome[]) => void,
  ) {}

  /** Resolves when nothing can be sent twice any more. */
  async record(results: readonly Outcome[]): Promise<void> {
    const accepted = await untilDone(this.core, 'Events of results were not stored', () => recordEvents(this.core, results));
    const isLater = ({ email }: Outcome): boolean => accepted.has(email._id);
    await this.settle(results.filter((result) => !isLater(result)));
    this.waiting.push(...results.filter(isLater));
    if (this.waiting.length > 0) this.writing ??= this.settleWaiting();
    if (this.waiting.length >= MOST) await this.writing;
  }

  private async settleWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      await this.settle(this.waiting.splice(0, MOST));
    }
    this.writing = null;
  }

  private async settle(results: readonly Outcome[]): Promise<void> {
    if (results.length === 0) return;
    await untilDone(this.core, 'Results were not recorded', () => settleResults(this.core, results));
    this.settled(results);
  }
}
