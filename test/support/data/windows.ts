import { offsetsOf } from '../../../src/rules/zoned-time';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The weekday, 1 for Monday, that many days from now in UTC. */
export const dayIn = (days: number): number => new Date(Date.now() + days * DAY_MS).getUTCDay() || 7;

/** Windows that are closed now wherever somebody is, and open at noon two or three days from now. */
export const closedWindows = (more: Readonly<Record<string, unknown>> = {}) => ({
  days: [dayIn(3)],
  from: '12:00',
  until: '18:00',
  ...more,
});

/** When `closedWindows` open in a zone. */
export function openingOf(zone: string, days = 3): string {
  const noon = Math.floor(Date.now() / DAY_MS + days) * DAY_MS + 12 * HOUR_MS;
  return new Date(noon - offsetsOf(zone)(noon)).toISOString();
}
