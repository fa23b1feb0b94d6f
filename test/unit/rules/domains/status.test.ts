import fc from 'fast-check';
import { RECORD_KEYS } from '../../../../src/rules/domains/records';
import type { RecordKey, RecordStatuses } from '../../../../src/rules/domains/records';
import type { Verdict } from '../../../../src/rules/domains/answers';
import { afterCheck, begun, reopened, waitAfter } from '../../../../src/rules/domains/status';
import type { Standing, Verdicts } from '../../../../src/rules/domains/status';

const HOUR = 3_600_000;
const TIMES = { windowMs: 72 * HOUR, intervalMs: 300_000 };
const each = <T>(value: T): Record<RecordKey, T> => Object.fromEntries(RECORD_KEYS.map((key) => [key, value])) as Record<RecordKey, T>;

const FRESH: Standing = { status: 'pending', records: each('pending'), missingSince: { ownership: null, dkim: null }, windowBeganAt: 0 };
const VERIFIED: Standing = { ...FRESH, status: 'verified', records: each('verified') };

const check = (
  standing: Standing,
  hour: number,
  verdicts: Partial<Verdicts> = {},
  more: { isTaken?: boolean; isDevelopment?: boolean } = {},
) =>
  afterCheck(
    standing,
    { verdicts: { ...each<Verdict>('verified'), ...verdicts }, now: hour * HOUR, isTaken: false, isDevelopment: false, ...more },
    TIMES,
  );

const WRONG = each<Verdict>('wrong');
const UNKNOWN = each<Verdict>('unknown');

test('ownership and DKIM make a domain verified; the others do not matter', () => {
  const next = check(FRESH, 1, { ...WRONG, ownership: 'verified', dkim: 'verified' });
  expect(next.status).toBe('verified');
  expect(next.records).toEqual({ ...each('pending'), ownership: 'verified', dkim: 'verified' });
  for (const missing of ['ownership', 'dkim'] as const) expect(check(FRESH, 1, { [missing]: 'wrong' }).status).toBe('pending');
});

test('what was seen once counts while DNS says nothing', () => {
  const half = check(FRESH, 1, { ...UNKNOWN, ownership: 'verified' });
  expect(check(half, 2, { ...UNKNOWN, dkim: 'verified' }).status).toBe('verified');
  expect(check(check(half, 2, { ...UNKNOWN, ownership: 'wrong' }), 3, { ...UNKNOWN, dkim: 'verified' }).status).toBe('pending');
});

test('a window ends after its time, with any answer of DNS; a record that never came has failed', () => {
  expect(check(FRESH, 71.99, WRONG)).toEqual(FRESH);
  for (const verdicts of [WRONG, UNKNOWN]) {
    expect(check(FRESH, 72, verdicts)).toEqual({ ...FRESH, status: 'failed', records: each('failed') });
  }
  expect(check(FRESH, 72, {}).status).toBe('verified');
});

test('a failed domain stays so until its next window', () => {
  const failed = check(FRESH, 72, WRONG);
  expect(check(failed, 100).status).toBe('failed');
  const again = reopened(failed, TIMES, 100 * HOUR);
  expect(again).toEqual({ ...FRESH, windowBeganAt: null });
  expect(check(again, 500, WRONG).status).toBe('pending');
  expect(check(again, 100).status).toBe('verified');
  const second = begun(again, 100 * HOUR);
  expect(begun(second, 101 * HOUR)).toBe(second);
  expect(check(second, 171.9, WRONG).status).toBe('pending');
  expect(check(second, 172, WRONG).status).toBe('failed');
});

test('a window that runs is not begun anew, one that was never ended is', () => {
  expect(reopened(FRESH, TIMES, 71 * HOUR)).toBe(FRESH);
  expect(reopened(VERIFIED, TIMES, 100 * HOUR)).toBe(VERIFIED);
  expect(reopened(FRESH, TIMES, 72 * HOUR).windowBeganAt).toBeNull();
});

test('a domain of another project is not verified, and fails in time', () => {
  const blocked = check(FRESH, 1, {}, { isTaken: true });
  expect(blocked).toMatchObject({ status: 'pending', records: each('verified') });
  expect(check(blocked, 72, {}, { isTaken: true }).status).toBe('failed');
  expect(check(blocked, 2).status).toBe('verified');
});

describe('a verified domain', () => {
  test.each(['ownership', 'dkim'] as const)('is withdrawn when %s is missing for 72 hours on end', (key) => {
    let standing = check(VERIFIED, 100, { [key]: 'wrong' });
    expect(standing).toMatchObject({ status: 'verified', records: { [key]: 'failed' }, missingSince: { [key]: 100 * HOUR } });
    standing = check(check(standing, 124, { [key]: 'wrong' }), 148, { [key]: 'wrong' });
    expect(check(standing, 171.9, { [key]: 'wrong' }).status).toBe('verified');
    expect(check(standing, 172, { [key]: 'wrong' }).status).toBe('failed');
  });

  test('is not, when the record comes back in between', () => {
    const back = check(check(VERIFIED, 100, { dkim: 'wrong' }), 124);
    expect(back).toEqual(VERIFIED);
    expect(check(check(back, 148, { dkim: 'wrong' }), 219, { dkim: 'wrong' }).status).toBe('verified');
  });

  test('is not, when one record is missing and then the other', () => {
    const first = check(VERIFIED, 100, { dkim: 'wrong' });
    expect(check(first, 172, { ownership: 'wrong' }).status).toBe('verified');
  });

  test('keeps its standing, and its count, while DNS says nothing', () => {
    expect(check(VERIFIED, 1_000, UNKNOWN)).toEqual(VERIFIED);
    const missing = check(VERIFIED, 100, { dkim: 'wrong' });
    expect(check(missing, 300, UNKNOWN)).toEqual(missing);
    expect(check(check(missing, 124, UNKNOWN), 172, { dkim: 'wrong' }).status).toBe('failed');
  });

  test('shows what is gone and what never came, by the window', () => {
    const partly = { ...VERIFIED, records: { ...VERIFIED.records, tracking: 'pending' } as RecordStatuses };
    expect(check(partly, 10, { tracking: 'wrong', spf: 'wrong' }).records).toMatchObject({ tracking: 'pending', spf: 'failed' });
    expect(check(partly, 80, { tracking: 'wrong' }).records.tracking).toBe('failed');
    expect(check({ ...partly, records: { ...partly.records, tracking: 'failed' } }, 90).records.tracking).toBe('verified');
  });
});

test('a development domain needs nothing; its other records are looked for', () => {
  const next = check(VERIFIED, 1_000, WRONG, { isDevelopment: true });
  expect(next).toEqual({ ...VERIFIED, records: { ...each('failed'), ownership: 'verified', dkim: 'verified' } });
});

test('the wait until a domain is checked again', () => {
  expect(waitAfter(FRESH, TIMES, HOUR, null)).toBe(300_000);
  expect(waitAfter(FRESH, TIMES, 72 * HOUR - 5_000, null)).toBe(5_000);
  expect(waitAfter(FRESH, TIMES, 73 * HOUR, null)).toBe(1_000);
  expect(waitAfter({ ...FRESH, windowBeganAt: null }, TIMES, 500 * HOUR, null)).toBe(300_000);
  expect(waitAfter({ ...FRESH, status: 'failed' }, TIMES, HOUR, null)).toBeNull();
});

test('a verified domain is looked at daily, and every five minutes while it is new and lacks a record that it does not need', () => {
  const lacking = (key: RecordKey, status: 'pending' | 'failed'): Standing => ({
    ...VERIFIED,
    records: { ...VERIFIED.records, [key]: status },
  });
  expect(waitAfter(VERIFIED, TIMES, 2 * HOUR, HOUR)).toBe(24 * HOUR);
  for (const key of ['spf', 'dmarc', 'tracking', 'bounceMx', 'bounceSpf'] as const) {
    for (const status of ['pending', 'failed'] as const) {
      expect(waitAfter(lacking(key, status), TIMES, HOUR, HOUR)).toBe(300_000);
      expect(waitAfter(lacking(key, status), TIMES, 73 * HOUR - 1, HOUR)).toBe(300_000);
      expect(waitAfter(lacking(key, status), TIMES, 73 * HOUR, HOUR)).toBe(24 * HOUR);
    }
  }
  expect(waitAfter(lacking('dkim', 'failed'), TIMES, HOUR, HOUR)).toBe(24 * HOUR);
  expect(waitAfter(lacking('tracking', 'pending'), { ...TIMES, intervalMs: 48 * HOUR }, HOUR, HOUR)).toBe(24 * HOUR);
});

const verdict = fc.constantFrom<Verdict>('verified', 'wrong', 'unknown');
const steps = fc.array(
  fc.record({ hours: fc.integer({ min: 1, max: 40 }), ownership: verdict, dkim: verdict, tracking: verdict, isTaken: fc.boolean() }),
  { maxLength: 40 },
);

test('a domain is withdrawn only after a record was found missing 72 hours apart and never found in between', () => {
  fc.assert(
    fc.property(steps, (life) => {
      let standing = VERIFIED;
      let hour = 0;
      const since: Record<'ownership' | 'dkim', number | null> = { ownership: null, dkim: null };
      for (const { hours, ownership, dkim, tracking } of life) {
        hour += hours;
        for (const [key, said] of [['ownership', ownership] as const, ['dkim', dkim] as const]) {
          if (said === 'verified') since[key] = null;
          if (said === 'wrong') since[key] ??= hour;
        }
        standing = check(standing, hour, { ownership, dkim, tracking });
        const lost = [['ownership', ownership] as const, ['dkim', dkim] as const].some(
          ([key, said]) => said === 'wrong' && since[key] !== null && hour - since[key] >= 72,
        );
        expect(standing.status).toBe(lost ? 'failed' : 'verified');
        if (lost) return;
      }
    }),
  );
});

test('a pending domain ends at 72 hours, verified only when both records were last seen and it is free', () => {
  fc.assert(
    fc.property(steps, (life) => {
      let standing = FRESH;
      let hour = 0;
      const seen = { ownership: false, dkim: false };
      for (const { hours, ownership, dkim, isTaken } of life) {
        hour += hours;
        if (ownership !== 'unknown') seen.ownership = ownership === 'verified';
        if (dkim !== 'unknown') seen.dkim = dkim === 'verified';
        standing = check(standing, hour, { ownership, dkim }, { isTaken });
        const isVerified = seen.ownership && seen.dkim && !isTaken;
        expect(standing.status).toBe(isVerified ? 'verified' : hour >= 72 ? 'failed' : 'pending');
        if (standing.status !== 'pending') return;
      }
    }),
  );
});
