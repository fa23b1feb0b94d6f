/** The events of a message on its way, in the order in which they can happen; each happens once. */
const NAMES = [
  'email.queued',
  'email.sent',
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.complained',
] as const;

export type EmailEventName = (typeof NAMES)[number];

/** Returns an id that is a function of the message and the name: emitted again after a crash, it is the same event. Events of a message sort as they happen. */
export const emailEventId = (emailId: string, name: EmailEventName): string => `evt_${emailId.slice('em_'.length)}${NAMES.indexOf(name)}`;

/** Names whose events can be equal for many messages. */
export const GROUPED_NAMES = ['email.queued', 'email.sent', 'email.delivered'] as const satisfies readonly EmailEventName[];

export type GroupedName = (typeof GROUPED_NAMES)[number];

export const isGroupedName = (name: string): name is GroupedName => (GROUPED_NAMES as readonly string[]).includes(name);
