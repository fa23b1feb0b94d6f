import { heardAs, matchesPattern } from '../../../../src/rules/event-patterns';
import { deliveriesAtOnce, isGivenUp, readRetryAfter, retryWaitMs } from '../../../../src/rules/webhook-retry';
import { makeSecret } from '../../../../src/sending/webhooks/secrets';
import { signatureHeaders } from '../../../../src/sending/webhooks/attempt';

const SCHEDULE = [5, 60, 300, 1_800, 7_200, 18_000, 28_800, 28_800];

test.each([
  ['*', 'anything', true],
  ['email.sent', 'email.sent', true],
  ['email.sent', 'email.sent.again', false],
  ['email.*', 'email.sent', true],
  ['email.*', 'email', false],
  ['email.*', 'emails.sent', false],
  ['a.b.*', 'a.b.c.d', true],
  ['a.b.*', 'a.bc', false],
])('%s means %s: %p', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected);
});

test('listeners are distinguished by the first part of a name', () => {
  expect(['*', 'email.*', 'a.b.*', 'a.b'].map(heardAs)).toEqual(['*', 'email.*', 'a.*', 'a.b']);
});

describe('the wait before the next attempt', () => {
  const wait = (attempt: number, chance: number, retryAfterMs: number | null = null) =>
    retryWaitMs(SCHEDULE, { attempt, retryAfterMs, chance });

  test('is that of the schedule, a tenth more or less', () => {
    SCHEDULE.forEach((seconds, index) => {
      expect(wait(index + 1, 0)).toBe(seconds * 900);
      expect(wait(index + 1, 0.5)).toBe(seconds * 1_000);
      expect(wait(index + 1, 0.999_999)).toBeCloseTo(seconds * 1_100, -3);
    });
  });

  test('is none after the last', () => {
    expect([wait(9, 0.5), wait(9, 0.5, 1_000)]).toEqual([null, null]);
  });

  test('is longer where that was asked for, up to an hour', () => {
    expect(wait(1, 0.5, 60_000)).toBe(60_000);
    expect(wait(1, 0.5, 1_000)).toBe(5_000);
    expect(wait(1, 0.5, 86_400_000)).toBe(3_600_000);
    expect(wait(6, 0.5, 86_400_000)).toBe(18_000_000);
  });
});

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['99999999999', null],
  ['', null],
  [null, null],
])('Retry-After: %p is %p', (header, expected) => {
  expect(readRetryAfter(header, new Date('2026-11-22T10:00:00Z'))).toBe(expected);
});

test('twenty failures in a row leave one delivery at a time, five days of them none', () => {
  expect([0, 19, 20, 500].map(deliveriesAtOnce)).toEqual([10, 10, 1, 1]);
  const since = new Date('2026-11-22T10:00:00Z');
  expect(isGivenUp(since, new Date('2026-11-27T09:59:59Z'))).toBe(false);
  expect(isGivenUp(since, new Date('2026-11-27T10:00:00Z'))).toBe(true);
});

test('a signature is that of the published schemes, for an example of each', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signatureHeaders({
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: 1_614_265_330,
    secrets: [secret],
  });
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'X-Service-Signature': expect.stringMatching(/^t=1614265330,v1=[0-9a-f]{64}$/),
  });
  expect(makeSecret()).not.toBe(makeSecret());
});
