/** A length of time as ISO 8601 writes it; months are kept apart, since they have no fixed length. */
export interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const SHAPE =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10}(?:[.,]\d{1,3})?)S)?)?$/;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Reads `P1Y2M3W4DT5H6M7.5S`, each part optional but not all of them; only seconds may have a fraction. Null for anything else. */
export function parseDuration(text: string): Duration | null {
  const parts = SHAPE.exec(text)?.slice(1);
  if (!parts) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number((part as string | undefined)?.replace(',', '.') ?? 0),
  );
  return {
    months: 12 * years + months,
    milliseconds: Math.round((7 * weeks + days) * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND),
  };
}

/**
 * Returns a date later by a duration. Months go by the calendar in UTC, and end on the last day of a month that is too short; then comes
 * the rest.
 */
export function addDuration(from: Date, { months, milliseconds }: Duration): Date {
  const first = new Date(from);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + months);
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(from.getUTCDate(), days));
  return new Date(first.getTime() + milliseconds);
}
