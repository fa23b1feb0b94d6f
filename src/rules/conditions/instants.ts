import type { Interval } from './types';

const DATE = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,3})?)?';
const ZONE = 'Z|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9]';

/**
 * ISO 8601 as far as a text is taken for a date: `2026-11-21`, or with a time and an offset, `2026-11-21T09:30:00.000Z`. Without an offset it is
 * no instant. The captures joined are the instant in whole milliseconds; what is finer is cut off.
 */
export const ISO_PATTERN = `(?:(${DATE})|(${DATE}T${TIME})(?:(?<=\\.[0-9]{3})[0-9]{1,6})?(${ZONE}))`;

const ISO = new RegExp(`^${ISO_PATTERN}$`);
const DATE_LENGTH = 10;
const DAY_MS = 86_400_000;

/** Returns whether a day exists in its month: the parser rolls a day that does not exist over into the next month. */
const isDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);

/** Returns the instant that a text names, in milliseconds since 1970 (a bare date is the beginning of its UTC day), or null when it names none. */
export function instantOf(text: string): number | null {
  const match = ISO.exec(text);
  if (!match || !isDay(text.slice(0, DATE_LENGTH))) return null;
  return Date.parse(match.slice(1).join(''));
}

/** Returns the time that a text means: the whole UTC day of a bare date, otherwise one millisecond. Null if it is not a date. */
export function spanOf(text: string): { readonly from: number; readonly to: number } | null {
  const from = instantOf(text);
  if (from === null) return null;
  return { from, to: from + (text.length === DATE_LENGTH ? DAY_MS : 1) };
}

/** Returns whether an instant is within an interval, whose end is no part of it. */
export const isDuring = (at: number, { from, to }: Interval): boolean => (from === null || at >= from) && (to === null || at < to);

interface Times {
  /** The starts of the days of bare dates. */
  readonly days: ReadonlySet<number>;
  readonly instants: ReadonlySet<number>;
}

/** Returns the times that the dates among texts mean. */
export function daysAndInstants(texts: readonly string[]): Times {
  const [days, instants] = [new Set<number>(), new Set<number>()];
  for (const text of texts) {
    const at = instantOf(text);
    if (at !== null) (text.length === DATE_LENGTH ? days : instants).add(at);
  }
  return { days, instants };
}

/** Returns whether an instant is one that was meant, or on a day that was. */
export const isAmong = ({ days, instants }: Times, at: number): boolean => instants.has(at) || days.has(Math.floor(at / DAY_MS) * DAY_MS);
