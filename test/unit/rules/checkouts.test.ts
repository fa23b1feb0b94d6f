import { firstQuestionAt, nextQuestionAt, purchaseStatus } from '../../../src/rules/checkouts';
import type { PurchaseStatus } from '../../../src/rules/checkouts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OPENED = Date.parse('2026-03-01T00:00:00Z');

test.each([
  [null, 'unpaid'],
  ['failed', 'unpaid'],
  ['cancelled', 'unpaid'],
  ['requires_customer_action', 'unpaid'],
  ['requires_payment_method', 'unpaid'],
  ['requires_confirmation', 'unpaid'],
  ['processing', 'under way'],
  ['requires_merchant_action', 'under way'],
  ['requires_capture', 'under way'],
  ['partially_captured', 'under way'],
  ['one that the provider adds', 'under way'],
  ['succeeded', 'paid'],
])('a payment that is %s: %s', (payment, status) => {
  expect(purchaseStatus(payment)).toBe(status);
});

/** When the provider is asked about a session that stays so, in minutes of its age. */
function questions(status: PurchaseStatus): number[] {
  const asked: number[] = [];
  for (let at: number | null = firstQuestionAt(OPENED); at !== null; at = nextQuestionAt(OPENED, at, status)) asked.push(at - OPENED);
  return asked.map((ms) => ms / MINUTE);
}

test('an unpaid session is asked about ever more seldom, and once when it has ended', () => {
  expect(questions('unpaid')).toEqual([5, 10, 20, 40, 80, 160, 320, 560, 800, 1_040, 1_280, 1_500]);
});

test.each(['under way', 'paid'] as const)('one that is %s is followed for fourteen days, at least every four hours', (status) => {
  const asked = questions(status);
  expect(asked.at(-1)).toBe(14 * 24 * 60);
  expect(Math.max(...asked.slice(1).map((minute, index) => minute - (asked[index] ?? 0)))).toBe(240);
});

test('a question that comes late, the provider having been away, is the last one once the session has ended', () => {
  expect(nextQuestionAt(OPENED, OPENED + 24 * HOUR, 'unpaid')).toBe(OPENED + 25 * HOUR);
  expect(nextQuestionAt(OPENED, OPENED + 30 * HOUR, 'unpaid')).toBeNull();
});
