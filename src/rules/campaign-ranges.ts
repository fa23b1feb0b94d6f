import type { RecipientRange } from '../contracts/campaign';
import { fnv1a } from '../contracts/hash';

/** Eight slices of 250, a little less: pages are cut in a random order, and differ by some dozens. */
const PAGE_ROWS = 1_920;
/** One slice. */
const LEAST_PAGE_ROWS = 250;
/** Workers that share a campaign end at about the same time when each has several pages. */
const PAGES_EACH = 8;
/** One more than are being sent, so that the next page is ready when one is done. */
export const PAGES_AT_ONCE = 3;
/** A small audience is cut finer, so that several workers get a share of it. */
const LEAST_ROWS = 100;
const LEAST_PAGES = 12;
const SPACE = 0x1_0000_0000;

/** Returns a contact's hash, by which the audience of a campaign is ordered at random: 32 bits, evenly spread, another order in each campaign. */
export function hashOf(campaignId: string, contactId: string): number {
  let hash = fnv1a(`${campaignId}/${contactId}`);
  // FNV leaves the upper bits of similar texts similar: this is the finalizer of MurmurHash3.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Writes a hash as eight hexadecimal digits, which sort as the number does. */
export const hashText = (hash: number): string => hash.toString(16).padStart(8, '0');

/** Returns how many recipients a page has, about: fewer where several workers share a campaign that is not large. */
export function pageRowsFor(rows: number, workers: number): number {
  if (workers <= 1) return PAGE_ROWS;
  return Math.min(PAGE_ROWS, Math.max(LEAST_PAGE_ROWS, Math.ceil(rows / (workers * PAGES_EACH))));
}

/**
 * Returns the number of pages for this many recipients: of about `pageRows` each, or a dozen of at least a hundred where that would be
 * fewer pages.
 */
export const pageCount = (rows: number, pageRows: number): number =>
  Math.max(1, Math.ceil(rows / pageRows), Math.min(LEAST_PAGES, Math.floor(rows / LEAST_ROWS)));

/** Returns page `index` of `count` pages of a range. Pages meet without a gap and without overlap, and begin and end with the range. */
export function pageRange({ from, to }: RecipientRange, index: number, count: number): RecipientRange {
  const low = from === '' ? 0 : Number.parseInt(from.slice(0, 8), 16);
  const high = to === null ? SPACE : Number.parseInt(to.slice(0, 8), 16);
  const cut = (at: number): string => hashText(low + Math.floor(((high - low) * at) / count));
  // A cut at the same hash as the range's own beginning or end, which are finer, is that beginning or end.
  const inner = (at: number): string => {
    const text = cut(at);
    if (text < from) return from;
    return to !== null && text > to ? to : text;
  };
  return { from: index === 0 ? from : inner(index), to: index === count - 1 ? to : inner(index + 1) };
}

const MINUTE_MS = 60_000;
const SECONDS_IN_MINUTE = 60;
/** One page goes to one worker, which handles about this many a second. */
const MOST_ROWS = 5_000;

/** The rhythm of pages of a campaign with a limit per minute. */
interface Pace {
  /** Recipients of one page. */
  readonly rows: number;
  /** From the beginning of one page to that of the next. */
  readonly everyMs: number;
}

/** Returns how a throttled campaign is spaced: about a second's share at a time; one message at a time where that is less than one. */
export function paceOf(perMinute: number): Pace {
  const rows = Math.min(MOST_ROWS, Math.ceil(perMinute / SECONDS_IN_MINUTE));
  return { rows, everyMs: Math.ceil((rows * MINUTE_MS) / perMinute) };
}

/** Returns when the page after one that was due at `due` and began at `began` may begin. Lateness is not caught up on: that would be a burst. */
export const nextDue = (due: number, began: number, { everyMs }: Pace): number => Math.max(due, began) + everyMs;
