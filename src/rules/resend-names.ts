/** Resend's names of events, with the events here that they stand for. Resend's other events do not happen here. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  'email.sent': ['email.sent'],
  'email.scheduled': ['email.scheduled'],
  'email.delivered': ['email.delivered'],
  'email.delivery_delayed': ['email.deferred'],
  'email.complained': ['email.complained'],
  'email.bounced': ['email.bounced'],
  'email.opened': ['email.opened'],
  'email.clicked': ['email.clicked'],
  'email.received': ['email.received'],
  'email.failed': ['email.failed'],
  'email.suppressed': ['email.skipped'],
  'contact.created': ['contact.created'],
  'contact.updated': ['contact.updated', 'contact.subscribed', 'contact.unsubscribed'],
  'contact.deleted': ['contact.deleted'],
  'contact.topics.updated': ['contact.topic_subscribed', 'contact.topic_unsubscribed'],
  'domain.updated': ['email.domain_verified', 'email.domain_failed'],
  'suppression.added': ['contact.suppressed'],
  'suppression.removed': ['contact.unsuppressed'],
};

/** Returns the events here that one of Resend's stands for; undefined where it does not happen here. */
export const eventsHere = (name: string): readonly string[] | undefined => (Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined);

/** Returns Resend's name of an event; one that Resend does not know keeps its name. */
export const resendName = (name: string): string => Object.keys(EVENTS).find((there) => EVENTS[there]?.includes(name)) ?? name;

const ORIGINS: Readonly<Record<string, string>> = { hard_bounce: 'bounce', complaint: 'complaint' };

/** Returns Resend's name of the reason for a suppression. */
export const resendOrigin = (reason: string): string => ORIGINS[reason] ?? 'manual';

/** Writes a mailbox as Resend shows it: `Ada <ada@example.com>`. */
export const resendMailbox = (email: string, name: string | null): string => (name === null ? email : `${name} <${email}>`);
