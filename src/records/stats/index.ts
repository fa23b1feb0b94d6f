export { bucketOf, bucketsBetween, bucketsTouched, splitAtHours } from './buckets';
export type { Interval, Span } from './buckets';
export { countMail, countMailIn } from './count';
export type { MailHappening } from './count';
export { COUNTED_NAMES, happeningsOf } from './happenings';
export { COUNTERS, SENDING_SOURCES } from './model';
export type { Counter } from './model';
export { MAIL_SOURCES, sumHours } from './sums';
export type { MailSource, SumRow } from './sums';
