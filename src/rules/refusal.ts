import { isPaused } from './pause';
import { isInTopic } from './topics';
import type { MailTopic, TopicChoices } from './topics';

/** The state of a recipient that decides whether a message may go. */
export interface RecipientState {
  readonly suppression: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual' | null;
  readonly subscribed: boolean;
  readonly choices?: TopicChoices | null | undefined;
  /** Until when the recipient pauses marketing mail. */
  readonly snoozedUntil?: Date | undefined;
}

/** The reason that stops a message to someone who gets other marketing mail, or gets it again later. */
export type RefusalDetail =
  | { readonly topicId: string }
  | { readonly snoozedUntil: string }
  /** Its send window was closed, or would have opened too late. */
  | { readonly window: 'closed' | 'expired' };

/** Why a message may not go. */
export interface Refusal {
  readonly reason: 'suppressed' | 'unsubscribed' | 'limit_reached';
  readonly detail?: RefusalDetail;
}

/**
 * Returns what a recipient's own state forbids, the first of this order: a blocking reason stops every message; an opt-out or an unsubscribed contact stops
 * marketing mail; a topic that the recipient left, or never joined, stops the mail of that topic; a pause at the instant `at` stops marketing mail.
 */
export function refusal(
  type: 'transactional' | 'marketing',
  { suppression, subscribed, choices, snoozedUntil }: RecipientState,
  topic: MailTopic | null | undefined,
  at: Date,
): Refusal | null {
  if (suppression !== null && suppression !== 'unsubscribe') return { reason: 'suppressed' };
  if (type !== 'marketing') return null;
  if (suppression === 'unsubscribe' || !subscribed) return { reason: 'unsubscribed' };
  if (topic && !isInTopic(topic, choices)) return { reason: 'unsubscribed', detail: { topicId: topic.topicId } };
  return snoozedUntil && isPaused({ snoozedUntil }, at)
    ? { reason: 'unsubscribed', detail: { snoozedUntil: snoozedUntil.toISOString() } }
    : null;
}
