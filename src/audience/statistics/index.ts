import type { ClientSession } from 'mongoose';
import { invalid, siblingId } from '../../platform/core';
import type { Context } from '../../platform/core';
import { countTagged } from '../../records/emails';
import type { Tagged } from '../../records/emails';
import { mailBetween, untalliedMail } from '../../records/events';
import { inTransaction, perDatabase } from '../../platform/mongo';
import { bucketStart, bucketsOn } from '../../rules/time-buckets';
import {
  COUNTERS,
  MAIL_SOURCES,
  SENDING_SOURCES,
  bucketOf,
  bucketsBetween,
  bucketsTouched,
  splitAtHours,
  sumHours,
} from '../../records/stats';
import type { Counter, Interval, MailHappening, MailSource, Span, SumRow } from '../../records/stats';
import { LRUCache } from 'lru-cache';
import { countContacts, countContactsAmong } from '../contacts';
import type { ContactCounts } from '../contacts';
import { suppressionIds } from '../../records/suppressions';

const MAX_BUCKETS = 400;
const DAYS = 30;
const HOURS = 48;

interface StatsQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly interval: Interval;
  /** Tag `name:value`: only mail with it, counted when it was accepted. */
  readonly tag?: string | undefined;
}

type Counts = Readonly<Record<Counter, number>>;
type Rate = 'delivery' | 'open' | 'click' | 'bounce' | 'complaint' | 'unsubscribe';

export interface Stats {
  readonly from: Date;
  readonly to: Date;
  readonly interval: Interval;
  readonly totals: Counts;
  /** 0 to 1, or null where there is nothing to divide by. */
  readonly rates: Readonly<Record<Rate, number | null>>;
  readonly bySource: Readonly<Record<(typeof SENDING_SOURCES)[number], Counts>>;
  readonly series: readonly { readonly at: Date; readonly counts: Counts }[];
  readonly contacts: ContactStats;
}

type ContactStats = ContactCounts & {
  /** Contacts whose address has a suppression, of any reason; subscribed or not. */
  readonly suppressed: number;
};

const PAGE = 5_000;

/** Counting more rows than this takes long enough to be felt: the answer is kept for a while. */
const MANY = 100_000;

const KEPT_MS = 60_000;

const keptStats = perDatabase(() => new LRUCache<string, ContactStats>({ max: 10_000, ttl: KEPT_MS }));

/** Resolves to how many contacts a project has: exact, or up to a minute old when it has more than 100,000 contacts and suppressions (docs/stats.md). */
async function contactStats(projectId: string): Promise<ContactStats> {
  const kept = keptStats();
  const known = kept.get(projectId);
  if (known) return known;
  const [counts, { among, suppressed }] = await Promise.all([countContacts(projectId), countSuppressed(projectId)]);
  const stats = { ...counts, suppressed };
  if (counts.total + among > MANY) kept.set(projectId, stats);
  return stats;
}

async function countSuppressed(projectId: string): Promise<{ readonly among: number; readonly suppressed: number }> {
  let among = 0;
  let suppressed = 0;
  for await (const ids of suppressionIds(projectId, PAGE)) {
    among += ids.length;
    suppressed += await countContactsAmong(
      projectId,
      ids.map((id) => siblingId('ctc', id)),
    );
  }
  return { among, suppressed };
}

/**
 * Resolves to the figures of a project's live mail from an instant up to another, exclusive. Buckets are UTC hours, days or calendar
 * months; those without mail are included. Throws 422 for more than 400 buckets, or an end that is not after the beginning.
 */
export async function readStats({ projectId }: Context, query: StatsQuery): Promise<Stats> {
  const { interval } = query;
  const { from, to } = rangeOf(query, new Date());
  const [sums, contacts] = await Promise.all([
    query.tag === undefined
      ? inTransaction((session) => sumsOf(session, projectId, { from, to }, interval))
      : taggedSums({ projectId, tag: query.tag, from, to }, interval),
    contactStats(projectId),
  ]);
  const totals = total(sums.flatMap(({ counts }) => Object.values(counts)));
  const bySource = Object.fromEntries(SENDING_SOURCES.map((source) => [source, total(sums.map(({ counts }) => counts[source]))]));
  const series = bucketsBetween(from, to, interval).map((at) => ({
    at,
    counts: total(sums.filter((sum) => sum.at.getTime() === at.getTime()).flatMap(({ counts }) => Object.values(counts))),
  }));
  return { from, to, interval, totals, rates: ratesOf(totals), bySource: bySource as Stats['bySource'], series, contacts };
}

/**
 * Returns the range that a query asks for. Unless the caller says otherwise, it ends with the running day, or with the running hour when
 * it is by the hour.
 */
function rangeOf({ from, to, interval }: StatsQuery, now: Date): Span {
  const unit = interval === 'hour' ? 'hour' : 'day';
  const end = to ?? bucketsOn(bucketStart(now, unit), unit, 1);
  const begin = from ?? bucketsOn(end, unit, unit === 'hour' ? -HOURS : -DAYS);
  if (begin >= end) throw invalid('from', 'invalid_combination', 'Must be before `to`');
  if (bucketsTouched(begin, end, interval) > MAX_BUCKETS) throw invalid('from', 'too_big', `At most ${MAX_BUCKETS} buckets`);
  return { from: begin, to: end };
}

interface BucketSums {
  readonly at: Date;
  readonly counts: Readonly<Record<MailSource, Counts>>;
}

/** Sums whole hours from their counters, parts of hours from their events, all as of one instant. */
async function sumsOf(session: ClientSession, projectId: string, span: Span, interval: Interval): Promise<readonly BucketSums[]> {
  const { hours, edges } = splitAtHours(span);
  const rows = await sumHours(session, projectId, hours, interval);
  const mail = (await untalliedMail(session, projectId)).filter(({ at }) => at >= hours.from && at < hours.to);
  for (const { from, to } of edges) mail.push(...(await mailBetween(session, projectId, from, to)));
  return [...rows, ...mail.map((happening) => asRow(happening, interval))].map(bucketSums);
}

/** Resolves to what has become of mail with a tag, in the bucket of its acceptance: rows know no instants but their own. */
async function taggedSums(tagged: Tagged, interval: Interval): Promise<readonly BucketSums[]> {
  const rows = await countTagged(tagged, interval);
  return rows.map(({ _id: { at, source }, ...counts }) =>
    bucketSums({ _id: at, ...Object.fromEntries(Object.entries(counts).map(([counter, n]) => [`${source}_${counter}`, n])) } as SumRow),
  );
}

const asRow = ({ source, counter, at, by = 1 }: MailHappening, interval: Interval): SumRow =>
  ({ _id: bucketOf(at, interval), [`${source}_${counter}`]: by }) as SumRow;

const bucketSums = (row: SumRow): BucketSums => ({
  at: row._id,
  counts: Object.fromEntries(
    MAIL_SOURCES.map((source) => [source, Object.fromEntries(COUNTERS.map((counter) => [counter, row[`${source}_${counter}`] ?? 0]))]),
  ) as BucketSums['counts'],
});

const total = (all: readonly Counts[]): Counts =>
  Object.fromEntries(COUNTERS.map((counter) => [counter, all.reduce((sum, counts) => sum + counts[counter], 0)])) as Counts;

/** Divides, and caps at one: mail opened in a span may have been delivered before it. */
const ratio = (part: number, whole: number): number | null => (whole > 0 ? Math.min(1, part / whole) : null);

const ratesOf = ({ sent, delivered, opened, clicked, bounced, complained, unsubscribed }: Counts): Stats['rates'] => ({
  delivery: ratio(delivered, sent),
  open: ratio(opened, delivered),
  click: ratio(clicked, delivered),
  bounce: ratio(bounced, sent),
  complaint: ratio(complained, delivered),
  unsubscribe: ratio(unsubscribed, delivered),
});
