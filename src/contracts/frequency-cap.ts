/** Senders of a message: the API, a campaign or an automation. */
export const CAP_SOURCES = ['transactional', 'campaign', 'workflow'] as const;
export type CapSource = (typeof CAP_SOURCES)[number];

interface CapSpan {
  readonly amount: number;
  readonly unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';
}

/** A bound on the marketing mail that a person gets: at most `max` messages within any window of the length `per`. */
export interface FrequencyCap {
  readonly name: string;
  readonly max: number;
  readonly per: CapSpan;
  /** The mail that counts, and that it holds for: all marketing mail, or that of some topics and sources. */
  readonly appliesTo?:
    | {
        readonly type?: 'marketing' | undefined;
        readonly topics?: readonly string[] | undefined;
        readonly sources?: readonly CapSource[] | undefined;
      }
    | undefined;
  readonly whenReached: 'wait' | 'skip';
  /** For how long a message waits before it is skipped. */
  readonly waitUpTo?: CapSpan | undefined;
}

/** A person gets the message of a key once: ever, or within a length of time, such as `7d`. */
export interface SendOnce {
  readonly key: string;
  readonly within?: string | undefined;
}

/** A person gets a message of a key at most once in a length of time. */
export interface Throttle {
  /** Absent: all messages without one share a throttle. */
  readonly key?: string | undefined;
  readonly every: string;
}
