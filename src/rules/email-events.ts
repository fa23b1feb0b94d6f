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

/**
 * Returns the names of the events that a message's row holds, by how far it has come among the grouped names. Mail of a campaign is queued and sent at once;
 * of other mail `email.queued` is stored when it is accepted.
 */
export const heldNames = (source: string, grouped: number): readonly GroupedName[] =>
  GROUPED_NAMES.slice(source === 'campaign' ? 0 : 1, grouped);

/** Returns how far a message has come among the grouped names, by the names of what happened to it. */
export const groupedUpTo = (names: readonly string[]): number =>
  Math.max(0, ...names.map((name) => (GROUPED_NAMES as readonly string[]).indexOf(name) + 1));
