import { Batcher } from '../../platform/batch';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { countDeliveries, refreshReputation } from '../../records/billing';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignHappening } from '../../records/campaign-figures';
import { settle } from '../../records/emails';
import type { Outcome } from '../../records/emails';
import { findProject } from '../../records/projects';
import { countMail, happeningsOf, countMailIn } from '../../records/stats';
import { emit, storedIds } from '../../records/events';
import type { NewEvent } from '../../records/events';

/** Steps of a record that is repeated when a later step fails: a step that has succeeded is not repeated. */
export class Once {
  private readonly done = new Map<string, Promise<void>>();

  /** Resolves when the step has succeeded, now or in an earlier try. */
  async step(name: string, work: () => Promise<void>): Promise<void> {
    const running = this.done.get(name) ?? work();
    this.done.set(name, running);
    try {
      await running;
    } catch (error) {
      this.done.delete(name);
      throw error;
    }
  }
}

/** Counts results in the statistics and in the reputation. */
export async function countFinished(core: Pick<Core, 'log'>, finished: readonly Outcome[], alone: readonly Outcome[]): Promise<void> {
  await Promise.all([countMail(alone.flatMap(({ events }) => events.flatMap(happeningsOf))), countDeliveries(acceptedOf(alone))]);
  const countedNow = new Set(alone);
  void laterCounts(core).deliveries.addAll(acceptedOf(finished.filter((one) => !countedNow.has(one))));
}

export const acceptedOf = (finished: readonly Outcome[]) =>
  finished.filter(({ accepted }) => accepted).map(({ email: { projectId } }) => ({ projectId, sent: 1, bounced: 0 }));

/** Counts the messages whose addresses are dead, once, and first the accepted ones that wait to be counted: the reputation depends on both. */
export async function countHardBounces(core: Pick<Core, 'log'>, once: Once, dead: readonly Outcome[]): Promise<void> {
  const bounced = dead.map(({ email: { projectId } }) => ({ projectId, sent: 1, bounced: 1 }));
  if (bounced.length === 0) return;
  await laterCounts(core).deliveries.flush();
  await once.step('bounces', () => countDeliveries(bounced));
  for (const projectId of new Set(bounced.map((bounce) => bounce.projectId)))
    if (await findProject(projectId)) await refreshReputation(projectId, new Date());
}

const LATER = { waitMs: 200 };

/**
 * Counters that no message waits for, written a few times a second. When a process is lost, the last moment's counts are missing in the project's reputation,
 * and in a campaign's counters until the recount at its end.
 */
interface LaterCounts {
  readonly deliveries: Batcher<Parameters<typeof countDeliveries>[0][number]>;
  readonly inCampaigns: Batcher<CampaignHappening>;
}

/** The counters of a core. */
export const laterCounts = perCore(({ log }: Pick<Core, 'log'>): LaterCounts => ({
  deliveries: new Batcher(
    (accepted) => countDeliveries(accepted).catch((err: unknown) => log.warn({ err }, 'Messages were not counted in their reputation')),
    LATER,
  ),
  inCampaigns: new Batcher(
    (happenings) =>
      campaignFigures.only.count(happenings).catch((err: unknown) => log.warn({ err }, 'Messages were not counted in their campaigns')),
    LATER,
  ),
}));

/** Counts the outcomes of live campaign mail, once for each message. */
export const countInCampaignsLater = (core: Pick<Core, 'log'>, settled: readonly Outcome[]): void =>
  void laterCounts(core).inCampaigns.addAll(settled.flatMap(campaignHappenings));

/** Returns whether a message may outlast its campaign, which is recounted at its end and never after. */
export const mayOutlastCampaign = (outcome: Outcome): boolean => outcome.email.attempts > 1 && campaignHappenings(outcome).length > 0;

/**
 * Settles messages of campaigns and counts them there in one transaction: a concurrent recount of the campaign sees both or neither. Messages that
 * another process has settled are not counted. Resolves to how many were settled here.
 */
export async function settleCounted(outcomes: readonly Outcome[]): Promise<number> {
  if (outcomes.length === 0) return 0;
  return inSequence('campaign counters', () =>
    inTransaction(async (session) => {
      const ours: Outcome[] = [];
      for (const outcome of outcomes) if ((await settle([outcome], session)) === 1) ours.push(outcome);
      await campaignFigures.only.count(ours.flatMap(campaignHappenings), session);
      return ours.length;
    }),
  );
}

/** Lists what a message's outcome adds to the counters of its campaign. */
export function campaignHappenings({ email, set }: Outcome): CampaignHappening[] {
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

/**
 * Stores events, some of which a lost attempt or a failed step may have stored before, and counts the new ones in the statistics: both
 * in one transaction, so that each is counted once. Throws when another process stores one of them at the same moment; repeated, it finds it.
 */
export async function emitCounted(events: readonly (NewEvent & { readonly id: string })[]): Promise<void> {
  if (events.length === 0) return;
  await inTransaction(async (session) => {
    const stored = await storedIds(session, events);
    const missing = events.filter(({ id }) => !stored.has(id));
    await emit(session, missing);
    await countMailIn(session, missing.flatMap(happeningsOf));
  });
}
