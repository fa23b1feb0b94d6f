const DAY_MS = 86_400_000;
/** An opt-in can be confirmed for this long after it was last asked for. */
const OPT_IN_LASTS_MS = 7 * DAY_MS;
/** An address gets up to one confirmation in this time, even if more are requested. */
const MAIL_EVERY_MS = DAY_MS;

/** When an opt-in was asked for, ends, and is mailed. */
export interface OptInTimes {
  /** When it was asked for first: part of what its link is signed over, so that links of earlier opt-ins of the address lead nowhere. */
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  /** Confirmations of this opt-in. */
  readonly mails: number;
  /** When the last confirmation to the address was sent, also of an earlier opt-in. */
  readonly lastMailAt: Date | null;
  /** Null while none is due. */
  readonly nextMailAt: Date | null;
}

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

const earliestMail = ({ lastMailAt }: Pick<OptInTimes, 'lastMailAt'>, now: Date): Date =>
  lastMailAt === null ? now : later(now, after(lastMailAt, MAIL_EVERY_MS));

/** Returns the times of an opt-in that begins now; `before` is an earlier one of the address. */
export const optInBegun = (before: Pick<OptInTimes, 'lastMailAt'> | null, now: Date): OptInTimes => ({
  requestedAt: now,
  expiresAt: after(now, OPT_IN_LASTS_MS),
  mails: 0,
  lastMailAt: before?.lastMailAt ?? null,
  nextMailAt: before ? earliestMail(before, now) : now,
});

/** Returns the times of an opt-in that is asked for again: it lasts longer, and is mailed again where no message is due, a day after the last one. */
export const askedAgain = (times: OptInTimes, now: Date): OptInTimes => ({
  ...times,
  expiresAt: after(now, OPT_IN_LASTS_MS),
  nextMailAt: times.nextMailAt ?? earliestMail(times, now),
});

/** Returns the times after a confirmation was sent. The first of an opt-in is followed by one reminder. */
export const mailed = (times: OptInTimes, now: Date): OptInTimes => ({
  ...times,
  mails: times.mails + 1,
  lastMailAt: now,
  nextMailAt: times.mails === 0 ? after(now, MAIL_EVERY_MS) : null,
});

/** Returns after how many milliseconds there is something to do; 0 where there is now. */
export const waitMsOf = ({ expiresAt, nextMailAt }: Pick<OptInTimes, 'expiresAt' | 'nextMailAt'>, now: Date): number =>
  Math.max(0, Math.min(expiresAt.getTime(), nextMailAt?.getTime() ?? Infinity) - now.getTime());
