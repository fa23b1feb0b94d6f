/** The times at which marketing mail may go out (docs/windows.md). */
export interface SendWindows {
  /** Weekdays on which a window opens; 1 = Monday. */
  readonly days: readonly number[];
  /** HH:MM */
  readonly from: string;
  /** HH:MM, up to 24:00; a window that ends no later than it opens ends on the next day. */
  readonly until: string;
  /** A zone of the zone database, or `recipient`: that of each recipient. */
  readonly timezone: string;
  /** The time zone for recipients whose own is not known. */
  readonly fallback: string;
  /** Whether a message outside the window waits for the next opening. */
  readonly outside: 'wait' | 'skip';
  /** A message that would wait longer is skipped. */
  readonly expireAfter?: { readonly amount: number; readonly unit: 'minutes' | 'hours' | 'days' } | undefined;
}

/** A launch at one reading of the clock, wherever each recipient is. */
export interface LocalTimeLaunch {
  /** The reading, `YYYY-MM-DDTHH:MM`. */
  readonly at: string;
  /** The fate of recipients whose clock has passed it when the campaign begins. */
  readonly passed: 'now' | 'nextDay' | 'skip';
  /** The time zone for recipients whose own is not known. */
  readonly fallback: string;
}

/** The rules for the send times of recipients. */
export interface Timing {
  readonly windows: SendWindows | null;
  readonly localTime: LocalTimeLaunch | null;
}
