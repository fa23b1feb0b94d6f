import { AppError } from './errors';

/** A token bucket after a request. */
export interface RateState {
  /** Units that it holds when it is full. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full. */
  readonly reset: number;
}

/** Returns the headers `RateLimit-Limit`, `-Remaining` and `-Reset` (docs/sending.md and docs/errors.md, Rate limit). */
export const rateHeaders = ({ limit, remaining, reset }: RateState): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
});

/** Returns a 429 with the bucket's state and `Retry-After`, in whole seconds. */
export const rateLimited = (message: string, state: RateState, seconds: number): AppError =>
  new AppError('rate_limited', message, [], { headers: { ...rateHeaders(state), 'Retry-After': String(seconds) } });

/** The size of a token bucket, and the rate at which it fills. */
export interface Refill {
  readonly burst: number;
  readonly perSecond: number;
}

/** Returns the state of a bucket that holds `units`. A part of a unit does not count as remaining. */
export const stateOf = ({ burst, perSecond }: Refill, units: number): RateState => ({
  limit: burst,
  remaining: Math.floor(units),
  reset: Math.ceil((burst - units) / perSecond),
});

/** Returns the whole seconds until the missing units are available, at least 1. */
export const secondsUntil = ({ perSecond }: Refill, missing: number): number => Math.max(1, Math.ceil(missing / perSecond));
