import fc from 'fast-check';
import type { KnownSubscription, SubscriptionReport, SubscriptionStatus } from '../../../src/rules/subscriptions';
import {
  SUBSCRIPTION_STATUSES,
  afterCancellation,
  afterPeriod,
  afterReport,
  currentOf,
  dueAt,
  firstKnown,
  planOf,
  replacedOf,
} from '../../../src/rules/subscriptions';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-03-01T00:00:00Z');

const report = (more: Partial<SubscriptionReport> = {}): SubscriptionReport => ({
  plan: 'starter',
  status: 'active',
  startedAt: new Date(START),
  nextBillingAt: new Date(START + 30 * DAY),
  cancelAtNextBillingDate: false,
  asOf: new Date(START),
  reportId: 'msg_1',
  ...more,
});

const known = (more: Partial<KnownSubscription> = {}): KnownSubscription => ({ ...firstKnown(report(more)), ...more });
const placed = (_id: string, more: Partial<KnownSubscription> = {}) => ({ ...known(more), _id });

const reports = fc.array(
  fc.record({
    plan: fc.constantFrom('starter' as const, 'growth' as const),
    status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
    startedAt: fc.constant(new Date(START)),
    nextBillingAt: fc.option(fc.integer({ min: 0, max: 3 }).map((n) => new Date(START + n * DAY))),
    cancelAtNextBillingDate: fc.boolean(),
    asOf: fc.integer({ min: 0, max: 3 }).map((n) => new Date(START + n)),
    reportId: fc.uuid(),
  }),
  { minLength: 1, maxLength: 6 },
);

const fold = ([first, ...rest]: readonly SubscriptionReport[]): KnownSubscription =>
  rest.reduce<KnownSubscription>((state, each) => afterReport(state, each) ?? state, firstKnown(first as SubscriptionReport));

test('the order in which reports come, and how often, makes no difference', () => {
  const shuffled = reports.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 })),
  );
  fc.assert(
    fc.property(shuffled, ([inOrder, mixed]) => {
      expect(fold(mixed)).toEqual(fold(inOrder));
    }),
  );
});

test('an older report, and one that came before, are nothing new', () => {
  const now = known({ status: 'cancelled', asOf: new Date(START + 5), reportId: 'msg_5', cancelAsOf: new Date(START + 5) });
  expect(afterReport(now, report({ asOf: new Date(START + 4) }))).toBeNull();
  expect(afterReport(now, report({ status: 'cancelled', asOf: new Date(START + 5), reportId: 'msg_5' }))).toBeNull();
});

test('a late report does not take back a cancellation that the provider confirmed; a newer one does', () => {
  const cancelled = afterCancellation(known({ cancelWantedAt: new Date(START) }), new Date(START + 10));
  expect(cancelled).toMatchObject({ cancelAtNextBillingDate: true, cancelWantedAt: null });
  const late = afterReport(cancelled, report({ asOf: new Date(START + 5), plan: 'growth' }));
  expect(late).toMatchObject({ plan: 'growth', cancelAtNextBillingDate: true });
  expect(afterReport(cancelled, report({ asOf: new Date(START + 11) }))).toMatchObject({ cancelAtNextBillingDate: false });
});

test('a wish to cancel outlasts reports of before it was carried out, and ends with the subscription', () => {
  const wanted = known({ cancelWantedAt: new Date(START + 1) });
  expect(afterReport(wanted, report({ asOf: new Date(START + 2) }))?.cancelWantedAt).toEqual(new Date(START + 1));
  expect(afterReport(wanted, report({ asOf: new Date(START + 2), status: 'on_hold' }))?.cancelWantedAt).toEqual(new Date(START + 1));
  expect(afterReport(wanted, report({ asOf: new Date(START + 2), cancelAtNextBillingDate: true }))?.cancelWantedAt).toBeNull();
  expect(afterReport(wanted, report({ asOf: new Date(START + 2), status: 'expired' }))?.cancelWantedAt).toBeNull();
});

describe('a period', () => {
  const cancelled = known({ cancelAtNextBillingDate: true });

  test('ends a cancelled subscription, not before its end', () => {
    expect(afterPeriod(cancelled, START + 30 * DAY - 1)).toBeNull();
    expect(afterPeriod(cancelled, START + 30 * DAY)).toMatchObject({ status: 'cancelled', asOf: new Date(START + 30 * DAY) });
  });

  test('ends no other', () => {
    expect(afterPeriod(known(), START + 40 * DAY)).toBeNull();
    expect(afterPeriod(known({ cancelWantedAt: new Date(START) }), START + 40 * DAY)).toBeNull();
    expect(afterPeriod({ ...cancelled, status: 'expired' }, START + 40 * DAY)).toBeNull();
  });
});

test.each<[string, Partial<KnownSubscription>, number | null]>([
  ['an hour after a renewal', {}, START + 30 * DAY + HOUR],
  ['at the end of a cancelled period', { cancelAtNextBillingDate: true }, START + 30 * DAY],
  ['at once for a cancellation', { cancelWantedAt: new Date(START + 7) }, START + 7],
  ['daily on hold', { status: 'on_hold' }, START + DAY],
  ['daily without a billing date', { nextBillingAt: null }, START + DAY],
  ['no more when it is over', { status: 'cancelled' }, null],
])('the provider is asked %s', (_when, more, due) => {
  expect(dueAt(known(more))).toBe(due);
});

test.each<[SubscriptionStatus, 'free' | 'starter']>([
  ['pending', 'free'],
  ['active', 'starter'],
  ['past_due', 'starter'],
  ['on_hold', 'free'],
  ['paused', 'free'],
  ['cancelled', 'free'],
  ['failed', 'free'],
  ['expired', 'free'],
])('a subscription that is %s gives plan %s', (status, plan) => {
  expect(planOf([known({ status })])).toBe(plan);
});

test('the best paid subscription of several is the plan, the newest running is shown, the others are replaced', () => {
  const old = placed('sub_1', { plan: 'growth' });
  const fresh = placed('sub_2', { startedAt: new Date(START + DAY) });
  const failed = placed('sub_3', { startedAt: new Date(START + 2 * DAY), status: 'failed' });
  expect(planOf([fresh, old, failed])).toBe('growth');
  expect(currentOf([old, failed, fresh])?._id).toBe('sub_2');
  expect(replacedOf([old, fresh, failed]).map(({ _id }) => _id)).toEqual(['sub_1']);
  expect(replacedOf([{ ...old, cancelAtNextBillingDate: true }, fresh])).toEqual([]);
  expect(currentOf([{ ...old, status: 'expired' }, failed])?._id).toBe('sub_1');
  expect(currentOf([failed])).toBeNull();
});
