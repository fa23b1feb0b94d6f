import { FEED_FAILED, chooseItems, noteFeedWait } from '../campaigns';
import type { FeedOfTurn, FeedWait, Series } from '../campaigns';
import type { Context } from '../../platform/core';
import { readFeed } from '../feeds';
import type { FeedSettings } from '../../rules/feed';

const MINUTE_MS = 60_000;
const TRIED_FOR_MS = 60 * MINUTE_MS;
/** A check is late when its worker was killed; what is later than that was paused meanwhile. */
const LATE_MS = 10 * MINUTE_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** Returns whether a turn is due that waits for its feed. */
export function isFeedAwaited({ feed, series: { feedWait } }: Series, at: Date, now: Date): boolean {
  if (!feed || feedWait?.at.getTime() !== at.getTime()) return false;
  return now.getTime() - feedWait.since.getTime() <= TRIED_FOR_MS + LATE_MS;
}

interface FeedRead {
  readonly at: Date;
  readonly now: Date;
  readonly readsFeed: boolean;
}

/**
 * Reads the feed of a turn and chooses what it sends. Resolves to until when it waits: a feed that cannot be read is tried for an hour, after which the turn is
 * skipped; or to null for a feed that is to be read now, by a check that takes the time.
 */
export async function feedOfTurn(
  ctx: Context,
  series: Series,
  settings: FeedSettings,
  read: FeedRead,
): Promise<FeedOfTurn | { readonly until: Date | null } | 'again'> {
  const wait = waitOf(series, read);
  if (wait && wait.next > read.now) return { until: wait.next };
  if (!read.readsFeed) return { until: null };
  const { seen = null } = series.series;
  const reading = await readFeed(ctx, settings.url, seen);
  if (reading.kind === 'later') return { until: new Date(read.now.getTime() + reading.afterMs) };
  if (reading.kind === 'failed') return failed(series, read, reading.error);
  if (reading.kind === 'unchanged') return { skipReason: 'nothing_new', error: null, seen };
  const { content, skipReason, left } = await chooseItems(series, settings, reading);
  const outcome = skipReason === null ? { content } : { skipReason, error: null };
  return { ...outcome, seen: left === 0 ? reading.seen : null };
}

const waitOf = (series: Series, { at, now }: FeedRead): FeedWait | undefined =>
  isFeedAwaited(series, at, now) ? series.series.feedWait : undefined;

/** Retries a feed after 1, 2, 4, 8 and then every 15 minutes, for the last time after an hour. */
async function failed(series: Series, read: FeedRead, error: string): Promise<FeedOfTurn | 'again'> {
  const { at, now } = read;
  const { since, attempts } = waitOf(series, read) ?? { since: now, attempts: 0 };
  const end = since.getTime() + TRIED_FOR_MS;
  if (now.getTime() >= end) return { skipReason: FEED_FAILED, error, seen: series.series.seen ?? null };
  const pause = Math.min(LONGEST_WAIT_MS, 2 ** attempts * MINUTE_MS);
  await noteFeedWait(series, { at, since, attempts: attempts + 1, next: new Date(Math.min(end, now.getTime() + pause)) });
  return 'again';
}
