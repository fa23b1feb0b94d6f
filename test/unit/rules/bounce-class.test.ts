import { classifyFailure, classifyRefusal } from '../../../src/rules/bounce-class';
import type { DeliveryVerdict, SmtpPhase } from '../../../src/rules/bounce-class';
import { retryDelaySeconds } from '../../../src/rules/webhook-retry';

const retry: DeliveryVerdict = { kind: 'retry' };
const failed: DeliveryVerdict = { kind: 'failed' };
const hard: DeliveryVerdict = { kind: 'bounced', bounceType: 'hard', suppresses: 'at_once' };
const again: DeliveryVerdict = { kind: 'bounced', bounceType: 'hard', suppresses: 'again' };
const soft: DeliveryVerdict = { kind: 'bounced', bounceType: 'soft', suppresses: 'never' };
const block: DeliveryVerdict = { kind: 'bounced', bounceType: 'block', suppresses: 'never' };
const PHASES: SmtpPhase[] = ['connect', 'greeting', 'ehlo', 'starttls', 'auth', 'mail', 'rcpt', 'data', 'body', 'final_dot'];
const EARLY = PHASES.slice(0, 6);
const LATE = PHASES.slice(6);

test.each<[SmtpPhase, number, string | null, DeliveryVerdict]>([
  ['rcpt', 550, '5.1.1', hard],
  ['rcpt', 550, '5.1.0', block],
  ['rcpt', 553, '5.1.3', hard],
  ['rcpt', 556, '5.1.10', hard],
  ['final_dot', 550, '5.1.1', hard],
  ['rcpt', 550, '5.1.7', block],
  ['rcpt', 550, '5.1.8', block],
  ['rcpt', 550, '5.2.1', hard],
  ['rcpt', 554, '5.1.1', hard],
  ['rcpt', 550, '5.2.2', soft],
  ['rcpt', 552, '5.2.2', soft],
  ['final_dot', 552, '5.2.3', soft],
  ['final_dot', 552, '5.3.4', soft],
  ['final_dot', 550, '5.6.0', block],
  ['rcpt', 550, '5.7.1', block],
  ['final_dot', 550, '5.7.515', { ...block, policy: 'authentication' }],
  ['final_dot', 552, '5.7.0', block],
  ['rcpt', 550, null, again],
  ['rcpt', 551, null, again],
  ['rcpt', 553, null, again],
  ['final_dot', 550, null, block],
  ['data', 553, null, block],
  ['rcpt', 552, null, soft],
  ['final_dot', 552, null, soft],
  ['rcpt', 554, null, block],
  ['final_dot', 554, null, block],
  ['data', 503, null, block],
  ['rcpt', 550, '5.0.0', block],
  ['rcpt', 550, '5.5.0', block],
  ['rcpt', 552, '5.5.0', soft],
  ['rcpt', 550, '4.2.2', again],
  ['rcpt', 450, '5.1.1', retry],
  ['rcpt', 452, '4.2.2', retry],
  ['rcpt', 550, 'nonsense', again],
])('a refusal at %s with %i %s', (phase, code, enhanced, verdict) => {
  expect(classifyFailure({ phase, code, enhanced, words: '' }, 'smarthost')).toEqual(verdict);
  expect(classifyFailure({ phase, code, enhanced, words: '' }, 'direct')).toEqual(verdict);
});

test.each(EARLY)('a refusal at %s is about us, with any enhanced code', (phase) => {
  for (const enhanced of [null, '5.1.1', '5.7.8', '5.2.2']) {
    expect(classifyFailure({ phase, code: 550, enhanced, words: 'User unknown' }, 'smarthost')).toEqual(retry);
    expect(classifyFailure({ phase, code: 550, enhanced, words: 'User unknown' }, 'direct')).toEqual(failed);
  }
});

test.each(PHASES)('4xx and no reply at all are retried at %s', (phase) => {
  for (const route of ['smarthost', 'direct'] as const) {
    for (const code of [421, 450, 451, 452, 454, null]) {
      expect(classifyFailure({ phase, code, enhanced: null, words: '' }, route)).toEqual(retry);
    }
  }
});

test.each(LATE)('no 5xx is retried at %s', (phase) => {
  for (let code = 500; code < 600; code++)
    expect(classifyFailure({ phase, code, enhanced: null, words: '' }, 'smarthost').kind).toBe('bounced');
});

test('a refusal without a basic code is judged by its status', () => {
  const refusal = (enhanced: string) => classifyRefusal({ phase: 'rcpt', code: null, enhanced, words: '' });
  expect([refusal('5.1.1'), refusal('5.2.2'), refusal('5.7.1'), refusal('5.0.0')]).toEqual([hard, soft, block, block]);
});

test('the retry schedule is walked once', () => {
  const schedule = [30, 120, 600];
  expect([0, 1, 2, 3, 4].map((attempt) => retryDelaySeconds(schedule, attempt))).toEqual([null, 30, 120, 600, null]);
  expect(retryDelaySeconds([], 1)).toBeNull();
});
