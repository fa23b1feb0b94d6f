import { RECORD_KEYS, REQUIRED } from './records';
import type { RecordKey, RecordStatus, RecordStatuses } from './records';
import type { Verdict } from './answers';

const HOUR_MS = 3_600_000;
/** A verified domain stays verified until a record that it needs has been missing for this long without a break. */
const WITHDRAWN_AFTER_MS = 72 * HOUR_MS;
const RECHECK_MS = 24 * HOUR_MS;
const SOON_MS = 1_000;

type Required = (typeof REQUIRED)[number];
type DomainStatus = 'pending' | 'verified' | 'failed';
export type Verdicts = Readonly<Record<RecordKey, Verdict>>;

/** The state of a domain's verification. Instants are in milliseconds. */
export interface Standing {
  readonly status: DomainStatus;
  readonly records: RecordStatuses;
  /** When a record that a verified domain needs was first found missing; null while it exists. */
  readonly missingSince: Readonly<Record<Required, number | null>>;
  /** Null until the first check in the background: that it comes late takes nothing off the window. */
  readonly windowBeganAt: number | null;
}

/** The length of the window in which a pending domain is checked, and the time between checks. */
export interface CheckTimes {
  readonly windowMs: number;
  readonly intervalMs: number;
}

/** The result of checking a domain's records. */
export interface Check {
  readonly verdicts: Verdicts;
  readonly now: number;
  /** True if the operator takes domains as verified: the records that they need are not required. */
  readonly isDevelopment: boolean;
  /** Another project has the domain. */
  readonly isTaken: boolean;
}

const windowIsOver = ({ windowBeganAt }: Standing, { windowMs }: CheckTimes, now: number): boolean =>
  windowBeganAt !== null && now >= windowBeganAt + windowMs;

/** Opens another window if the last one ended without success; an open window continues. */
export const reopened = (standing: Standing, times: CheckTimes, now: number): Standing =>
  standing.status === 'failed' || (standing.status === 'pending' && windowIsOver(standing, times, now))
    ? { ...standing, status: 'pending', windowBeganAt: null, records: withStatus(standing.records, 'failed', 'pending') }
    : standing;

/** Begins the window of a domain that waits for its first check. */
export const begun = (standing: Standing, now: number): Standing =>
  standing.windowBeganAt === null ? { ...standing, windowBeganAt: now } : standing;

function withStatus(records: RecordStatuses, from: RecordStatus, to: RecordStatus): RecordStatuses {
  return Object.fromEntries(RECORD_KEYS.map((key) => [key, records[key] === from ? to : records[key]])) as RecordStatuses;
}

/**
 * Returns the state of a domain after a check. A verdict of `unknown` changes nothing; the window ends independently of verdicts.
 *
 * | domain   | the check                                        | becomes                                                       |
 * |----------|--------------------------------------------------|---------------------------------------------------------------|
 * | pending  | ownership and DKIM exist, no one else has it     | verified                                                      |
 * | pending  | the window is over                               | failed                                                        |
 * | verified | one of the two is missing                        | verified; failed at a check 72 hours later that misses it still |
 * | failed   | any                                              | as it is, until the next window                               |
 */
export function afterCheck(standing: Standing, check: Check, times: CheckTimes): Standing {
  const records = Object.fromEntries(RECORD_KEYS.map((key) => [key, recordAfter(key, standing, check, times)])) as RecordStatuses;
  const next = { ...standing, records };
  if (standing.status === 'verified') return afterRecheck(next, check);
  if (standing.status === 'failed') return next;
  if (REQUIRED.every((key) => records[key] === 'verified') && !check.isTaken)
    return { ...next, status: 'verified', missingSince: NOT_MISSING };
  if (!windowIsOver(standing, times, check.now)) return next;
  return { ...next, status: 'failed', records: withStatus(records, 'pending', 'failed') };
}

export const NOT_MISSING = { ownership: null, dkim: null } as const;

const isRequired = (key: RecordKey): boolean => (REQUIRED as readonly RecordKey[]).includes(key);

// A record that is not there yet is waited for as long as the window lasts; one that was there and is gone has failed.
function recordAfter(key: RecordKey, standing: Standing, { verdicts, now, isDevelopment }: Check, times: CheckTimes): RecordStatus {
  const before = standing.records[key];
  if (isDevelopment && isRequired(key)) return 'verified';
  if (verdicts[key] === 'unknown') return before;
  if (verdicts[key] === 'verified') return 'verified';
  const wasThere = standing.status === 'verified' && before !== 'pending';
  return wasThere || standing.status === 'failed' || windowIsOver(standing, times, now) ? 'failed' : 'pending';
}

function afterRecheck(standing: Standing, { verdicts, now, isDevelopment }: Check): Standing {
  if (isDevelopment) return { ...standing, missingSince: NOT_MISSING };
  const since = (key: Required): number | null => {
    if (verdicts[key] === 'unknown') return standing.missingSince[key];
    return verdicts[key] === 'wrong' ? (standing.missingSince[key] ?? now) : null;
  };
  const missingSince = { ownership: since('ownership'), dkim: since('dkim') };
  const isLost = REQUIRED.some((key) => {
    const from = missingSince[key];
    return verdicts[key] === 'wrong' && from !== null && now >= from + WITHDRAWN_AFTER_MS;
  });
  return isLost ? { ...standing, status: 'failed', missingSince: NOT_MISSING } : { ...standing, missingSince };
}

const lacksOthers = ({ records }: Standing): boolean => RECORD_KEYS.some((key) => !isRequired(key) && records[key] !== 'verified');

/**
 * Returns how long to wait for the next check, in milliseconds; null when there is none until somebody asks for it. A verified domain is checked daily, and as
 * often as a pending one while it is new (`verifiedAt` is less than a window ago) and lacks a record that it does not need: a tracking host that is set up
 * last is used within minutes.
 */
export function waitAfter(standing: Standing, times: CheckTimes, now: number, verifiedAt: number | null): number | null {
  if (standing.status === 'failed') return null;
  if (standing.status === 'verified') {
    const isNew = verifiedAt !== null && now < verifiedAt + times.windowMs;
    return isNew && lacksOthers(standing) ? Math.min(times.intervalMs, RECHECK_MS) : RECHECK_MS;
  }
  const leftMs = (standing.windowBeganAt ?? now) + times.windowMs - now;
  return Math.max(SOON_MS, Math.min(times.intervalMs, leftMs));
}
