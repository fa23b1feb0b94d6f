/** The plans that are sold, the smaller first. */
export const PAID_PLANS = ['starter', 'growth'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

/** The payment provider's statuses of a subscription (its API reference, Subscription status). */
export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'past_due', 'on_hold', 'paused', 'cancelled', 'failed', 'expired'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A subscription as a notification or an answer of the provider has it, at one instant. */
export interface SubscriptionReport {
  readonly plan: PaidPlan;
  readonly status: SubscriptionStatus;
  readonly startedAt: Date;
  /** The end of the period that is paid for. */
  readonly nextBillingAt: Date | null;
  readonly cancelAtNextBillingDate: boolean;
  /** When it was so, by the provider's clock. */
  readonly asOf: Date;
  /** Orders reports of the same instant. */
  readonly reportId: string;
}

/** The known state of a subscription. */
export interface KnownSubscription extends SubscriptionReport {
  /** When `cancelAtNextBillingDate` was so: a cancellation that the provider confirmed to us has no report of its own. */
  readonly cancelAsOf: Date;
  /** When the customer asked for a cancellation that the provider has not confirmed yet. */
  readonly cancelWantedAt: Date | null;
}

const HOUR_MS = 3_600_000;
/** Time for the notification of a billing date to arrive before the provider is asked. */
const RENEWAL_GRACE_MS = HOUR_MS;
/** Interval for asking the provider about a subscription without a billing date, or on hold. */
const RECHECK_MS = 24 * HOUR_MS;

/** Returns whether it is paid for; `past_due` is the provider's period of grace. */
export const isRunning = ({ status }: Pick<KnownSubscription, 'status'>): boolean => status === 'active' || status === 'past_due';

/** Returns whether nothing will be billed any more. */
export const isOver = ({ status }: Pick<KnownSubscription, 'status'>): boolean =>
  status === 'cancelled' || status === 'expired' || status === 'failed';

/** Returns whether it runs and is not going to end. */
export const isRenewing = (subscription: Pick<KnownSubscription, 'status' | 'cancelAtNextBillingDate' | 'cancelWantedAt'>): boolean =>
  isRunning(subscription) && !subscription.cancelAtNextBillingDate && subscription.cancelWantedAt === null;

/** Returns a positive number when `a` is the newer one. A total order: in any order of reports, the same one wins. */
function compareReports(a: SubscriptionReport, b: SubscriptionReport): number {
  const byTime = a.asOf.getTime() - b.asOf.getTime();
  if (byTime !== 0) return byTime;
  const byEnd = Number(isOver(a)) - Number(isOver(b));
  if (byEnd !== 0) return byEnd;
  const byPeriod = (a.nextBillingAt?.getTime() ?? 0) - (b.nextBillingAt?.getTime() ?? 0);
  if (byPeriod !== 0) return byPeriod;
  return a.reportId < b.reportId ? -1 : Number(a.reportId > b.reportId);
}

/**
 * Returns what is known once the report has come; null when that is nothing new. Reports may come in any order and any number of times: an older one never undoes
 * what a newer one said.
 */
export function afterReport<T extends KnownSubscription>(known: T, report: SubscriptionReport): T | null {
  const isNewer = compareReports(report, known) > 0;
  const ahead = report.asOf.getTime() - known.cancelAsOf.getTime();
  const isFlagNewer = ahead > 0 || (ahead === 0 && report.cancelAtNextBillingDate && !known.cancelAtNextBillingDate);
  if (!isNewer && !isFlagNewer) return null;
  const { cancelAtNextBillingDate, ...standing } = report;
  return withoutStaleWish({
    ...known,
    ...(isNewer && standing),
    ...(isFlagNewer && { cancelAtNextBillingDate, cancelAsOf: report.asOf }),
  });
}

/** Returns the known state after a first report. */
export const firstKnown = (report: SubscriptionReport): KnownSubscription => ({
  ...report,
  cancelAsOf: report.asOf,
  cancelWantedAt: null,
});

/** Returns what is known once the provider has taken the cancellation. */
export const afterCancellation = <T extends KnownSubscription>(known: T, at: Date): T => ({
  ...known,
  cancelAtNextBillingDate: true,
  cancelAsOf: at > known.cancelAsOf ? at : known.cancelAsOf,
  cancelWantedAt: null,
});

/** Returns what is wanted no more: a cancellation that the provider knows of, or of what is over. */
const withoutStaleWish = <T extends KnownSubscription>(known: T): T =>
  known.cancelAtNextBillingDate || isOver(known) ? { ...known, cancelWantedAt: null } : known;

/** Ends a cancelled subscription whose period is over by `now`; null when there is nothing to end. */
export function afterPeriod<T extends KnownSubscription>(known: T, now: number): T | null {
  const { nextBillingAt, asOf } = known;
  if (!isRunning(known) || !known.cancelAtNextBillingDate || nextBillingAt === null || nextBillingAt.getTime() > now) return null;
  return { ...known, status: 'cancelled', asOf: nextBillingAt > asOf ? nextBillingAt : asOf, reportId: 'period-end', cancelWantedAt: null };
}

/** Returns when to ask the provider about the subscription, in milliseconds; null when it is over. */
export function dueAt(known: KnownSubscription): number | null {
  if (isOver(known)) return null;
  if (known.cancelWantedAt) return known.cancelWantedAt.getTime();
  if (!isRunning(known) || known.nextBillingAt === null) return known.asOf.getTime() + RECHECK_MS;
  return known.nextBillingAt.getTime() + (known.cancelAtNextBillingDate ? 0 : RENEWAL_GRACE_MS);
}

/** Returns the plan of a project with these subscriptions: the best that is paid for. */
export function planOf(subscriptions: readonly Pick<KnownSubscription, 'plan' | 'status'>[]): 'free' | PaidPlan {
  const paid = new Set(subscriptions.filter(isRunning).map(({ plan }) => plan));
  return PAID_PLANS.findLast((plan) => paid.has(plan)) ?? 'free';
}

type Identified = KnownSubscription & { readonly _id: string };

const newestFirst = (a: Identified, b: Identified): number =>
  b.startedAt.getTime() - a.startedAt.getTime() || (a._id < b._id ? 1 : Number(a._id > b._id) * -1);

/** Returns the subscription that a project has: the newest one that runs, else the newest that ran once; null when nothing was ever bought. */
export function currentOf<T extends Identified>(subscriptions: readonly T[]): T | null {
  const begun = subscriptions.filter(({ status }) => status !== 'pending' && status !== 'failed').sort(newestFirst);
  return begun.find(isRunning) ?? begun[0] ?? null;
}

/** Returns subscriptions that a newer one replaces, and that would be billed in addition to it. */
export function replacedOf<T extends Identified>(subscriptions: readonly T[]): readonly T[] {
  const [, ...older] = subscriptions.filter(isRunning).sort(newestFirst);
  return older.filter(isRenewing);
}
