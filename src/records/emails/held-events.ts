import type { Email } from './model';

/** The events that a row holds: they are not stored a second time (docs/decisions/0068). */
export interface HeldEvents {
  /** The row of `event_groups` that stands for its `email.queued`; absent where that is an event of its own, and in mail of campaigns. */
  readonly queuedIn?: string;
  /** The row of `event_groups` that stands for what came of it; absent in mail of a slice of a campaign, where its attempt names it. */
  readonly slice?: string;
  /** Progress of the message among the names of such events, in their order. */
  readonly grouped?: number;
  /** The next server's answer. */
  readonly response?: string;
}

/** Later events are not held by the row: a search for events of an instant reads the messages of the day before it. */
export const HELD_WITHIN_MS = 24 * 3_600_000;

/** Whether what happens to a message now may be held by its row. */
export const mayHold = ({ createdAt }: Pick<Email, 'createdAt'>, at: Date): boolean => at.getTime() - createdAt.getTime() < HELD_WITHIN_MS;
