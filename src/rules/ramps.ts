import { DAY_MS, dayOf, instantOf } from './zoned-time';
import type { OffsetAt } from './zoned-time';

/** The amounts of mail that a new transport may take, day by day. */
export interface Ramp {
  readonly transport: string;
  /** Messages of each day; after the last entry there is no limit. */
  readonly perDay: readonly number[];
  /** Whether each provider has the amount for itself. */
  readonly perProvider: boolean;
  /** The zone in which days begin. */
  readonly timezone: string;
  /** The way of a message that a day has no room for: it waits for the next day, or goes over the next transport of its route. */
  readonly overflow: 'wait' | 'other';
}

/** Counts of a day: for all of a transport, or for one provider. */
export interface RampCount {
  /** Messages that went over the transport, or are about to. */
  readonly used: number;
  /** Refusals for policy. */
  readonly refused: number;
  /** Refusals for policy that are not in `used`, as they came before the end of the message. */
  readonly early: number;
}

const REFUSED_SHARE = 0.05;
/** Fewer messages say nothing about how a provider takes them. */
const ENOUGH = 20;

/** Returns the day that a clock shows, as YYYY-MM-DD: days compare as their texts do. */
export const rampDayAt = (at: number, offsetAt: OffsetAt): string => new Date(at + offsetAt(at)).toISOString().slice(0, 10);

/** Returns when the next day begins. */
export const nextRampDay = (at: number, offsetAt: OffsetAt): number => instantOf((dayOf(at + offsetAt(at)) + 1) * DAY_MS, offsetAt);

/** Returns the amount of a step of the ramp, the first of which is 0; null for no limit. */
export const amountOf = ({ perDay }: Pick<Ramp, 'perDay'>, step: number): number | null => perDay[step] ?? null;

/**
 * Returns why a ramp does not climb after what was counted; null when it does. It climbs also after less than the amount: what was sent was taken well. A time
 * without any mail shows nothing to receivers, and does not count.
 */
export function heldBackBy(counts: readonly RampCount[]): 'refused' | 'unused' | null {
  if (counts.some(isRefused)) return 'refused';
  return counts.some(({ used }) => used > 0) ? null : 'unused';
}

const isRefused = ({ used, refused, early }: RampCount): boolean => {
  const tried = used + early;
  return tried >= ENOUGH && refused >= tried * REFUSED_SHARE;
};
