/** The events of a message on its way, in the order in which they can happen; each happens once, and the last one once for each attempt. */
const NAMES = [
  'email.queued',
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.complained',
  'email.deferred',
] as const;

export type EmailEventName = (typeof NAMES)[number];

/** Returns an id that is a function of the message and the name: emitted again after a crash, it is the same event. Events of a message sort as they happen. */
export const emailEventId = (emailId: string, name: EmailEventName): string => `evt_${emailId.slice('em_'.length)}${NAMES.indexOf(name)}`;

/** Returns the id of the event that an attempt, counted from 1, was deferred: one for each, however often it is emitted. */
export const deferredEventId = (emailId: string, attempt: number): string => `${emailEventId(emailId, 'email.deferred')}${attempt}`;

/** Names whose events a message's row may hold, where they have no listener: what every message that is accepted goes through. */
export const ROW_EVENT_NAMES = ['email.queued', 'email.sent', 'email.delivered'] as const satisfies readonly EmailEventName[];

export type RowEventName = (typeof ROW_EVENT_NAMES)[number];

export const isRowEventName = (name: string): name is RowEventName => (ROW_EVENT_NAMES as readonly string[]).includes(name);

/** The outcome that a row holds: its message was sent, and then delivered; `undone` if it bounced after that. */
export type Holds = 'sent' | 'delivered' | 'undone';

/** Values of `holds` of a message that has an event of a name. */
export const HOLDS: Readonly<Record<Exclude<RowEventName, 'email.queued'>, readonly Holds[]>> = {
  'email.sent': ['sent', 'delivered', 'undone'],
  'email.delivered': ['delivered', 'undone'],
};
