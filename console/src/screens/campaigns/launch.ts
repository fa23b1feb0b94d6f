import type { Schemas } from '../../parts/api.ts';
import { instantOf } from '../../parts/dates.tsx';

/** The launch of a campaign, as it is written. */
export interface Launch {
  readonly start: 'now' | 'later' | 'local';
  /** Date and time: of the reader's clock, or of each recipient's. */
  readonly time: string;
  readonly passed: NonNullable<Schemas['SendCampaignRequest']['passed']>;
  /** Time zone of recipients without a known one; empty for the default. */
  readonly fallback: string;
  /** Messages per minute; empty for no limit. */
  readonly pace: string;
  readonly decideAt: string;
  readonly decide: NonNullable<Schemas['SendCampaignRequest']['decide']>;
}

export const AT_ONCE: Launch = { start: 'now', time: '', passed: 'now', fallback: '', pace: '', decideAt: '', decide: 'onTime' };

const NO_TIME = 'Enter a date and a time.';

/** Returns when it begins, as the API takes it. Throws if the time is missing. */
function startOf({ start, time, passed, fallback }: Launch): Schemas['SendCampaignRequest'] {
  if (start === 'now') return {};
  if (time === '') throw new Error(NO_TIME);
  if (start === 'later') return { scheduledFor: instantOf(time) };
  return { scheduledFor: time, localTime: true, passed, ...(fallback.trim() !== '' && { fallback: fallback.trim() }) };
}

/** Returns a launch as the API takes it. Throws if it is not complete. */
export const launchBody = (launch: Launch): Schemas['SendCampaignRequest'] => ({
  ...startOf(launch),
  ...(launch.decideAt !== '' && { abDecideAt: instantOf(launch.decideAt) }),
  ...(launch.decide !== 'onTime' && { decide: launch.decide }),
  ...(launch.pace !== '' && { throttlePerMinute: Number(launch.pace) }),
});
