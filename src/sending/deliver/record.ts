import type { ClientSession } from 'mongoose';
import { answer, collected } from '../../platform/async';
import type { Collector } from '../../platform/async';
import type { Core, ProjectFacts } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { countDeliveries, refreshReputation } from '../../records/billing';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignHappening } from '../../records/campaign-figures';
import { notBegunAgain, otherOutcomes, settle } from '../../records/emails';
import type { Email, Settlement } from '../../records/emails';
import { emit, emitTogether, storedIds } from '../../records/events';
import type { EmailEvent, NewEvent } from '../../records/events';
import { findProject } from '../../records/projects';
import { countMail, countMailIn, happeningsOf } from '../../records/stats';
import { suppress } from '../../records/suppressions';
import { isGivenUp } from '../../rules/soft-bounces';
import { eventOf } from './outcome';
import type { Outcome } from './outcome';

export interface Finished {
  readonly email: Email;
  readonly attemptId: string;
  readonly outcome: Outcome;
}

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
export async function record(core: Pick<Core, 'log'>, finished: readonly Finished[], takenOver = false): Promise<void> {
  await recordEvents(core, finished, takenOver);
  await settleResults(core, finished);
}

/** Records the first half: events, suppressions, counts. Resolves to the messages that a group names: they are known to be accepted, and their rows can wait. */
async function recordEvents(core: Pick<Core, 'log'>, finished: readonly Finished[], takenOver = false): Promise<ReadonlySet<string>> {
  const [{ alone, grouped }] = await Promise.all([emitResults(finished, takenOver), suppressBounced(finished)]);
  await countOnce(core, finished, alone);
  await countHardBounces(core, finished);
  return grouped;
}

/** Records the second half: the ledger. */
async function settleResults(core: Pick<Core, 'log'>, finished: readonly Finished[]): Promise<void> {
  const settlements = finished.map(({ email, attemptId, outcome }) => ({ email, attemptId, set: outcome.set }));
  const atOnce = settlements.filter((settlement) => !mayOutlastCampaign(settlement));
  const [early, outlasting] = await Promise.all([settle(atOnce), settleCounted(settlements.filter(mayOutlastCampaign))]);
  const settled = early + outlasting;
  if (settled < finished.length) {
    core.log.warn({ late: finished.length - settled }, 'Results came after other workers had begun the messages again');
  }
  countInCampaignsLater(core, early < atOnce.length ? await notBegunAgain(atOnce) : atOnce);
}

interface EmittedResults {
  readonly alone: readonly Finished[];
  readonly grouped: ReadonlySet<string>;
}

/**
 * Emits the events of results. A message with an earlier attempt may have events already, from an attempt that was lost: its events go under their own ids,
 * and are counted as they are stored. Resolves to the other messages with events of their own, and to those in groups, which the statistics count from there.
 */
async function emitResults(finished: readonly Finished[], takenOver: boolean): Promise<EmittedResults> {
  const isFirst = ({ email, outcome }: Finished): boolean => !takenOver && outcome.accepted && email.attempts === 1;
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
export const eventsOf = ({ email, outcome }: Finished): readonly EmailEvent[] =>
  email.source === 'campaign' ? [eventOf(email, email.createdAt, 'email.queued'), ...outcome.events] : outcome.events;

/** Counts the events that `eventsOf` would list. */
export const eventCountOf = ({ email, outcome }: Finished): number => outcome.events.length + (email.source === 'campaign' ? 1 : 0);

const counted = new WeakSet<readonly Finished[]>();

/** Counts results in the statistics and in the reputation, each once: results that are recorded again because a step failed were counted before. */
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
  const countedNow = new Set(alone);
  laterCounts(core).deliveries.add(acceptedOf(finished.filter((one) => !countedNow.has(one))));
}

export const acceptedOf = (finished: readonly Finished[]) =>
  finished.filter(({ outcome }) => outcome.accepted).map(({ email: { projectId } }) => ({ projectId, sent: 1, bounced: 0 }));

/** Counts hard bounces, and first the accepted messages that wait to be counted: the reputation depends on both. */
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

/** Suppresses an address that does not exist at once, and one with soft bounces after enough of them. */
export async function suppressBounced(finished: readonly Finished[]): Promise<void> {
  for (const { email, outcome } of finished) {
    const isSoft = outcome.set.bounceType === 'soft';
    if (!outcome.hardBounce && !isSoft) continue;
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

const EVERY_MS = 200;

/**
 * Counters that no message waits for, written a few times a second. When a process is lost, the last moment's counts are missing in the project's reputation,
 * and in a campaign's counters until the recount at its end.
 */
export interface LaterCounts {
  readonly deliveries: Collector<Parameters<typeof countDeliveries>[0][number]>;
  readonly inCampaigns: Collector<CampaignHappening>;
}

const countersOf = new WeakMap<Core['log'], LaterCounts>();

/** Returns the counters of this process. */
export function laterCounts({ log }: Pick<Core, 'log'>): LaterCounts {
  const found = countersOf.get(log);
  if (found) return found;
  const made: LaterCounts = {
    deliveries: collected(countDeliveries, EVERY_MS, (err) => log.warn({ err }, 'Messages were not counted in their reputation')),
    inCampaigns: collected(
      (happenings) => campaignFigures.only.count(happenings),
      EVERY_MS,
      (err) => log.warn({ err }, 'Messages were not counted in their campaigns'),
    ),
  };
  countersOf.set(log, made);
  return made;
}

/** Counts the outcomes of live campaign mail, once for each message. */
export const countInCampaignsLater = (core: Pick<Core, 'log'>, settled: readonly Pick<Settlement, 'email' | 'set'>[]): void =>
  laterCounts(core).inCampaigns.add(settled.flatMap(campaignHappenings));

/** Whether a message may outlast its campaign, which is recounted at its end and never after. */
const mayOutlastCampaign = ({ email, set }: Pick<Settlement, 'email' | 'set'>): boolean =>
  email.attempts > 1 && campaignHappenings({ email, set }).length > 0;

/**
 * Settles messages of campaigns and counts them there in one transaction: a concurrent recount of the campaign sees both or neither. Messages that
 * another process has settled are not counted. Resolves to how many were settled here.
 */
export async function settleCounted(settlements: readonly Settlement[]): Promise<number> {
  if (settlements.length === 0) return 0;
  return inSequence('campaign counters', () =>
    inTransaction(async (session) => {
      const ours: Settlement[] = [];
      for (const settlement of settlements) if ((await settle([settlement], session)) === 1) ours.push(settlement);
      await campaignFigures.only.count(ours.flatMap(campaignHappenings), session);
      return ours.length;
    }),
  );
}

/** Lists what a message's outcome adds to the counters of its campaign. */
export function campaignHappenings({ email, set }: Pick<Settlement, 'email' | 'set'>): CampaignHappening[] {
  const { _id, projectId, campaignId, contentId, testMode } = email;
  if (campaignId === null || testMode) return [];
  const first = COUNTED.filter(({ since }) => set[since]).map(({ counter }) => counter);
  const tried = email.attempts === 1;
  return first.length > 0 || tried ? [{ projectId, campaignId, emailId: _id, contentId, tried, first }] : [];
}

const COUNTED = [
  { since: 'deliveredAt', counter: 'delivered' },
  { since: 'bouncedAt', counter: 'bounced' },
  { since: 'openedAt', counter: 'opened' },
  { since: 'clickedAt', counter: 'clicked' },
  { since: 'complainedAt', counter: 'complained' },
] as const;

const SETTLE_MS = 20;
/** Rows that are written at once; while as many wait, nothing more is recorded. */
const MOST = 500;

/**
 * Records results, and retries until it succeeds: an acknowledged message outlives an outage of the database. A message that a group of events names is known
 * to be accepted; a take-over settles it and does not send it again. So no lane waits for its row, and the rows of several recordings are one write.
 */
export class Recorder<T extends Finished> {
  private waiting: T[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly core: Pick<Core, 'log'>,
    /** Called with results whose rows are written. */
    private readonly settled: (results: readonly T[]) => void,
  ) {}

  /** Resolves when nothing can be sent twice any more. */
  async record(results: readonly T[]): Promise<void> {
    const accepted = await untilDone(this.core, 'Events of results were not stored', () => recordEvents(this.core, results));
    const isLater = ({ email }: T): boolean => accepted.has(email._id);
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

  private async settle(results: readonly T[]): Promise<void> {
    if (results.length === 0) return;
    await untilDone(this.core, 'Results were not recorded', () => settleResults(this.core, results));
    this.settled(results);
  }
}

const RETRY_MS = [50, 200, 500, 1_000];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries until it succeeds: what was sent outlives an outage of the database. Logs each failure as `trouble`. */
export async function untilDone<T>({ log }: Pick<Core, 'log'>, trouble: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await answer(work);
    } catch (error) {
      log.warn({ err: error, tries }, trouble);
      await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 1_000);
    }
  }
}
