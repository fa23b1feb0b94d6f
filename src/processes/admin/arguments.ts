import { z } from 'zod';

/** A command that was asked for in a way that cannot be carried out. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws unless `value` is one of those. */
export function oneOf(what: string, allowed: readonly string[], value: string | undefined): void {
  if (value === undefined || !allowed.includes(value)) throw new UsageError(`${what} must be one of ${allowed.join(', ')}`);
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,5})([mhd])$/;
const Instant = z.iso.datetime({ offset: true });
const FARTHEST_MS = 100 * 366 * 86_400_000;

function instantOf(text: string, now: number): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  if (count !== undefined) return now + Number(count) * (UNITS_MS[unit] ?? 0);
  if (Instant.safeParse(text).success) return Date.parse(text);
  throw new UsageError('--expires takes a time with its zone (2027-01-31T00:00:00Z) or a span in minutes, hours or days (90m, 12h, 30d)');
}

/** Returns the end of a key: an instant, or a span from now. */
export function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const now = Date.now();
  const at = instantOf(text, now);
  if (at <= now) throw new UsageError('--expires must be in the future');
  if (at > now + FARTHEST_MS) throw new UsageError('--expires is more than a hundred years away');
  return new Date(at);
}

const MOST_ENTRIES = 1_000;
const ENTRIES = 100;

/** Returns how many entries of the audit are asked for. */
export function readLimit(text: string | undefined): number {
  if (text === undefined) return ENTRIES;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST_ENTRIES) throw new UsageError(`--limit must be 1 to ${MOST_ENTRIES}`);
  return limit;
}

/** Returns a calendar month (UTC), `YYYY-MM`; the current one where none is given. */
export function readMonth(text: string | undefined): string {
  if (text === undefined) return new Date().toISOString().slice(0, 7);
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw new UsageError('--month takes a year and a month (2026-11)');
  return text;
}

/** Returns an id of the audit, or none. */
export function readEntryId(text: string | undefined): string | null {
  if (text !== undefined && !/^aud_[0-9a-z]{26}$/.test(text)) throw new UsageError('--before takes the id of an entry (aud_…)');
  return text ?? null;
}
