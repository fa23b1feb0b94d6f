import { collected } from '../batch';
import type { Collector } from '../batch';
import { countDeliveries } from '../billing/delivery-counts';
import { countInCampaigns } from '../campaigns/counters';
import type { CampaignHappening } from '../campaigns/counters';
import type { Core } from '../context';
import type { Settlement } from '../emails/ledger';

const EVERY_MS = 200;

/**
 * Counters that no message waits for, written a few times a second. What a lost process had not written of them is missing in the project's reputation,
 * by a moment's accepted messages, and in a campaign's counters until the recount at its end.
 */
export interface LaterCounts {
  readonly deliveries: Collector<Parameters<typeof countDeliveries>[0][number]>;
  readonly inCampaigns: Collector<CampaignHappening>;
}

const known = new WeakMap<Core['log'], LaterCounts>();

/** Those of this process. */
export function laterCounts({ log }: Pick<Core, 'log'>): LaterCounts {
  const found = known.get(log);
  if (found) return found;
  const made: LaterCounts = {
    deliveries: collected(countDeliveries, EVERY_MS, (err) => log.warn({ err }, 'Messages were not counted in their reputation')),
    inCampaigns: collected(
      (happenings) => countInCampaigns(happenings),
      EVERY_MS,
      (err) => log.warn({ err }, 'Messages were not counted in their campaigns'),
    ),
  };
  known.set(log, made);
  return made;
}

/**
 * Counts what became of live mail of campaigns, each message for the first time. One that was tried before may outlast its campaign, after whose end nobody
 * counts anew: then it resolves when that is written.
 */
export async function countInCampaignsLater(core: Pick<Core, 'log'>, settled: readonly Pick<Settlement, 'email' | 'set'>[]): Promise<void> {
  const { inCampaigns } = laterCounts(core);
  inCampaigns.add(settled.flatMap(happeningsOf));
  if (settled.some(({ email }) => email.attempts > 1)) await inCampaigns.flush();
}

function happeningsOf({ email: { _id, projectId, campaignId, testMode }, set }: Pick<Settlement, 'email' | 'set'>): CampaignHappening[] {
  if (campaignId === null || testMode) return [];
  const first = COUNTED.filter(({ since }) => set[since]).map(({ counter }) => counter);
  return first.length > 0 ? [{ projectId, campaignId, emailId: _id, first }] : [];
}

const COUNTED = [
  { since: 'deliveredAt', counter: 'delivered' },
  { since: 'bouncedAt', counter: 'bounced' },
  { since: 'openedAt', counter: 'opened' },
  { since: 'clickedAt', counter: 'clicked' },
  { since: 'complainedAt', counter: 'complained' },
] as const;
