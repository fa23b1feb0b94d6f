/** The events of the system, and when each happens. */
export const SYSTEM_EVENT_WORDS = {
  'email.queued': 'A message was accepted',
  'email.scheduled': 'A message was accepted for a later time',
  'email.skipped': 'No message was created for a recipient',
  'email.deferred': 'A mail server refused it for now, or could not be reached; not for campaigns',
  'email.sent': 'The next mail server accepted it; immediate for a test message',
  'email.delivered': "The recipient's mail server accepted it",
  'email.bounced': 'It was rejected permanently, immediately or later',
  'email.failed': 'It could not be sent',
  'email.cancelled': 'It was cancelled before it was sent',
  'email.opened': 'It was opened; at most once a minute',
  'email.clicked': 'A link in it was clicked; at most once a minute for each link',
  'email.complained': 'The recipient reported it as spam',
  'email.unsubscribed': 'The recipient unsubscribed through this message',
  'email.received': 'A message was received',
  'email.domain_verified': 'A domain was verified: mail may be sent from it',
  'email.domain_failed': 'A domain could not be verified, or is no longer verified',
  'email.feed_failed': 'A turn of a recurring campaign was skipped: its feed could not be read for an hour',
  'email.campaign_started': 'A campaign started: from now on it is sending',
  'email.campaign_held': 'A sending campaign is on hold',
  'email.campaign_sent': 'A campaign was sent to everybody in its audience',
  'email.campaign_cancelled': 'A campaign was cancelled',
  'contact.created': 'A contact was created',
  'contact.updated': 'A field of a contact changed',
  'contact.deleted': 'A contact was deleted',
  'contact.subscribed': 'A contact became subscribed',
  'contact.unsubscribed': 'A contact became unsubscribed',
  'contact.suppressed': 'An address was suppressed: it gets no more mail',
  'contact.unsuppressed': 'An address is no longer suppressed',
  'contact.topic_subscribed': 'A contact gets the mail of a topic from now on',
  'contact.topic_unsubscribed': 'A contact or an address gets no more mail of a topic',
  'contact.snoozed': 'A contact paused marketing mail',
  'contact.resumed': 'The pause of a contact ended: at its time, or because the contact ended it',
  'segment.entered': 'A contact entered a segment',
  'segment.exited': 'A contact left a segment',
  'workflow.entered': 'A contact entered an automation',
  'workflow.completed': 'An execution completed',
  'workflow.exited': 'An execution ended at an exit',
  'workflow.failed': 'An execution failed',
  'workflow.cancelled': 'An execution was cancelled',
} as const;

export type SystemEventName = keyof typeof SYSTEM_EVENT_WORDS;

export const SYSTEM_EVENT_NAMES = Object.keys(SYSTEM_EVENT_WORDS) as readonly SystemEventName[];

const RESERVED = /^(email|contact|segment|workflow)\./;

/** Returns whether a name is the system's; all others belong to the caller (docs/events.md). */
export const isSystemName = (name: string): boolean => RESERVED.test(name);

/** Returns whether events of a name, or with a prefix such as `email.*`, may happen: the system's are all known. */
export function canHappen(pattern: string): boolean {
  if (!isSystemName(pattern)) return true;
  return pattern.endsWith('.*')
    ? SYSTEM_EVENT_NAMES.some((name) => name.startsWith(pattern.slice(0, -1)))
    : (SYSTEM_EVENT_NAMES as readonly string[]).includes(pattern);
}
