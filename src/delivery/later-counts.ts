import { collected } from '../batch';
import type { Collector } from '../batch';
import { countDeliveries } from '../billing/delivery-counts';
import { countInCampaigns } from '../campaigns/counters';
import type { CampaignHappening } from '../campaigns/counters';
import type { Core } from '../context';

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
