import type { ReactNode } from 'react';

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** Returns a moment as the reader's clock has it: day and time. Throws a RangeError for what is no moment. */
export const whenWords = (at: string): string => dayAndTime.format(new Date(at));

/** Shows a moment as the reader's clock has it; to the second on a closer look. */
export function When({ at }: { readonly at: string | null | undefined }): ReactNode {
  if (at === null || at === undefined) return <span className="none">–</span>;
  return (
    <time dateTime={at} title={toTheSecond.format(new Date(at))}>
      {whenWords(at)}
    </time>
  );
}

const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Says when figures were fetched, as the reader's clock has it. */
export const AsOf = ({ at }: { readonly at: number }): ReactNode => (
  <p className="hint">
    As of <time dateTime={new Date(at).toISOString()}>{timeOfDay.format(at)}</time>
  </p>
);

const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Returns a month of the API, as 2026-11, in words. */
export const monthOf = (month: string): string => monthAndYear.format(new Date(`${month}-01T00:00:00Z`));

/** Returns the instant at which a day of the reader's calendar begins; undefined of what is no day. */
export function beginningOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns the instant at which a day of the reader's calendar is over, also where a clock is changed; undefined of what is no day. */
export function endOf(day: string): string | undefined {
  const [year = Number.NaN, month = Number.NaN, dayOfMonth = Number.NaN] = day.split('-').map(Number);
  const date = new Date(year, month - 1, dayOfMonth + 1);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Returns the instant of a date and time on the reader's clock, as an input has them. */
export const instantOf = (time: string): string => new Date(time).toISOString();

/** Returns an instant as an input takes it: date and time on the reader's clock, to the minute. */
export function localOf(instant: string): string {
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
