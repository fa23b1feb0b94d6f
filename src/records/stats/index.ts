export { bucketOf, bucketsBetween, bucketsTouched, splitAtHours } from './buckets';
export type { Interval, Span } from './buckets';
export { countMail, countMailIn, COUNTED_NAMES, happeningsOf, COUNTERS, SENDING_SOURCES } from './count';
export type { MailHappening, Counter } from './count';
export { MAIL_SOURCES, sumHours } from './sums';
export type { MailSource, SumRow } from './sums';
export { timelineOf, timelineSpan } from './timeline';
export type { Timeline, TimelineQuery } from './timeline';
