import { isInTopic } from './topics';
import type { MailTopic, TopicChoices } from './topics';

/** What of a recipient decides whether a message may go. */
export interface RecipientState {
  readonly suppression: 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual' | null;
  readonly subscribed: boolean;
  readonly choices?: TopicChoices | null | undefined;
}

/** Why a message may not go; with the topic where the recipient gets other marketing mail. */
export interface Refusal {
  readonly reason: 'suppressed' | 'unsubscribed';
  readonly detail?: { readonly topicId: string };
}

/**
 * Returns what a recipient's own state forbids, the first of this order: a blocking reason stops every message; an opt-out or an unsubscribed contact stops
 * marketing mail; a topic that the recipient left, or never joined, stops the mail of that topic.
 */
export function refusal(
  type: 'transactional' | 'marketing',
  { suppression, subscribed, choices }: RecipientState,
  topic?: MailTopic | null,
): Refusal | null {
  if (suppression !== null && suppression !== 'unsubscribe') return { reason: 'suppressed' };
  if (type !== 'marketing') return null;
  if (suppression === 'unsubscribe' || !subscribed) return { reason: 'unsubscribed' };
  return topic && !isInTopic(topic, choices) ? { reason: 'unsubscribed', detail: { topicId: topic.topicId } } : null;
}
