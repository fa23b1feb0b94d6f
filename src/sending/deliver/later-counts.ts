import { collected } from '../../platform/async';
import type { Collector } from '../../platform/async';
import { countDeliveries } from '../../records/billing';
import { campaignFigures } from '../../records/campaign-figures';
import type { CampaignHappening } from '../../records/campaign-figures';
import type { Core } from '../../platform/core';
import { settle } from '../../records/emails';
import type { Settlement } from '../../records/emails';
import { inSequence, inTransaction } from '../../platform/mongo';

const EVERY_MS = 200;

/**
 * Counters that no message waits for, written a few times a second. When a process is lost, the last moment's counts are missing in the project's reputation,
 * and in a campaign's counters until the recount at its end.
 */
export interface LaterCounts {
  readonly deliveries: Collector<Parameters<typeof countDeliveries>[0][number]>;
  readonly inCampaigns: Collector<CampaignHappening>;
}

const known = new WeakMap<Core['log'], LaterCounts>();

/** Returns the counters of this process. */
export function laterCounts({ log }: Pick<Core, 'log'>): LaterCounts {
  const found = known.get(log);
  if (found) return found;
  const made: LaterCounts = {
    deliveries: collected(countDeliveries, EVERY_MS, (err) => log.warn({ err }, 'Messages were not counted in their reputation')),
    inCampaigns: collected(
      (happenings) => campaignFigures.only.count(happenings),
      EVERY_MS,
      (err) => log.warn({ err }, 'Messages were not counted in their campaigns'),
    ),
  };
  known.set(log, made);
  return made;
}

/** Counts the outcomes of live campaign mail, once for each message. */
export const countInCampaignsLater = (core: Pick<Core, 'log'>, settled: readonly Pick<Settlement, 'email' | 'set'>[]): void =>
  laterCounts(core).inCampaigns.add(settled.flatMap(campaignHappenings));

/** Whether a message may outlast its campaign, which is recounted at its end and never after. */
export const mayOutlastCampaign = ({ email, set }: Pick<Settlement, 'email' | 'set'>): boolean =>
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
