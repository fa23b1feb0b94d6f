import type { Schemas } from './api.ts';
import { spanWords } from './span.tsx';
import type { Span } from './span.tsx';

type Shown = Schemas['ShownWindows'];

/** Send windows as they are edited. */
export interface Windows {
  readonly days: readonly number[];
  readonly from: string;
  /** When it closes; 00:00 for midnight. */
  readonly until: string;
  /** A time zone for all; null for that of each recipient. */
  readonly timezone: string | null;
  readonly fallback: string;
  readonly outside: Shown['outside'];
  readonly expireAfter: Span | null;
}

const RECIPIENT = 'recipient';
const MIDNIGHT = '00:00';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The beginning of a new window: working hours. */
export const OFFICE_HOURS: Windows = {
  days: [1, 2, 3, 4, 5],
  from: '09:00',
  until: '18:00',
  timezone: null,
  fallback: 'UTC',
  outside: 'wait',
  expireAfter: null,
};

/** Returns windows of the API as they are edited. A time input has no 24:00: midnight is the same. */
export const writtenWindows = ({ timezone, until, expireAfter, ...shown }: Shown): Windows => ({
  ...shown,
  until: until === '24:00' ? MIDNIGHT : until,
  timezone: timezone === RECIPIENT ? null : timezone,
  expireAfter: expireAfter ?? null,
});

/** Returns the same values as the API takes them. */
export const windowsBody = ({ days, timezone, outside, expireAfter, ...windows }: Windows): Schemas['SendWindows'] => ({
  ...windows,
  outside,
  days: [...days],
  timezone: timezone ?? RECIPIENT,
  ...(outside === 'wait' && expireAfter && { expireAfter: expireAfter as NonNullable<Shown['expireAfter']> }),
});

const daysOf = (days: readonly number[]): string =>
  days.length === WEEKDAYS.length ? 'Every day' : days.map((day) => WEEKDAYS[day - 1]?.slice(0, 3)).join(', ');

const outsideOf = ({ outside, expireAfter }: Shown): string => {
  if (outside === 'skip') return 'Messages outside of it are skipped.';
  return expireAfter ? `Messages wait up to ${spanWords(expireAfter)}.` : 'Messages wait.';
};

/** Returns windows in words: the days, the hours, the clock, and what happens outside of them. */
export function windowWords(windows: Shown): string {
  const { days, from, until, timezone, fallback } = windows;
  const zone = timezone === RECIPIENT ? `in each recipient’s time zone (${fallback} if unknown)` : `in ${timezone}`;
  return `${daysOf(days)}, ${from}–${until}, ${zone}. ${outsideOf(windows)}`;
}
