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
  /** The steps in which it is sent, and the hours after each. */
  readonly steps: keyof typeof ROLLOUTS;
  readonly wait: string;
  /** Messages per minute; empty for no limit. */
  readonly pace: string;
  /** An instant; empty for the default. */
  readonly decideAt: string;
  readonly decide: NonNullable<Schemas['SendCampaignRequest']['decide']>;
}

/** Shares of the audience, in percent, before the rest of it. */
const ROLLOUTS = { none: [], two: [10], three: [1, 10] } as const;

export const AT_ONCE: Launch = {
  start: 'now',
  time: '',
  passed: 'now',
  fallback: '',
  pace: '',
  decideAt: '',
  decide: 'onTime',
  steps: 'none',
  wait: '4',
};

/** Returns whether a campaign can be sent in steps when it begins so. */
export const mayRollOut = ({ abSubjectB, schedule }: Schemas['CampaignDetail'], { start }: Launch): boolean =>
  abSubjectB === null && !schedule && start !== 'local';

function rolloutOf({ steps, wait, start }: Launch): Pick<Schemas['SendCampaignRequest'], 'rollout'> {
  const shares = ROLLOUTS[steps];
  if (shares.length === 0 || start === 'local') return {};
  const hours = { amount: Number(wait), unit: 'hours' } as const;
  return { rollout: [...shares.map((percent) => ({ percent, wait: hours })), { percent: 100 }] };
}

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
  ...(launch.decideAt !== '' && { abDecideAt: launch.decideAt }),
  ...(launch.decide !== 'onTime' && { decide: launch.decide }),
  ...rolloutOf(launch),
  ...(launch.pace !== '' && { throttlePerMinute: Number(launch.pace) }),
});
