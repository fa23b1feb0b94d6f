/** Sums of all reports on one day. */
export interface ReportedDay {
  readonly day: Date;
  readonly messages: number;
  readonly aligned: number;
}

export interface Readiness {
  readonly quarantine: boolean;
  readonly reject: boolean;
  /** Clean days in a row, up to the last one with a report; days without reports are passed over. */
  readonly cleanDays: number;
  /** The last day with a report on mail. */
  readonly lastDay: Date | null;
}

const DAY_MS = 86_400_000;
/** A day is clean if at least this share of its mail passed DMARC: forwarding breaks some of the rest. */
const CLEAN_SHARE = 0.98;
const FOR_QUARANTINE = 14;
const FOR_REJECT = 30;
/** Older reports say nothing of the mail of today. */
const FRESH_DAYS = 7;

/** Number of days that are checked. */
export const READINESS_DAYS = 90;

/**
 * Returns whether a domain can ask receivers for more than it does: 14 clean days in a row for `quarantine`; 30 for `reject`, with a policy of `quarantine` or
 * `reject` published already. The last reported day is at most seven days ago.
 */
export function readiness(days: readonly ReportedDay[], published: string | null, now: Date): Readiness {
  const reported = days.filter(({ messages }) => messages > 0).sort((a, b) => b.day.getTime() - a.day.getTime());
  const lastDay = reported[0]?.day ?? null;
  const broken = reported.findIndex(({ messages, aligned }) => aligned < messages * CLEAN_SHARE);
  const cleanDays = broken === -1 ? reported.length : broken;
  const isFresh = lastDay !== null && now.getTime() - lastDay.getTime() < (FRESH_DAYS + 1) * DAY_MS;
  return {
    quarantine: isFresh && cleanDays >= FOR_QUARANTINE,
    reject: isFresh && cleanDays >= FOR_REJECT && (published === 'quarantine' || published === 'reject'),
    cleanDays,
    lastDay,
  };
}
