import type { EmailEventName } from '../../rules/email-events';
import type { NewEvent } from './emit';

/** An event of a message, with an id that stays the same however often it is emitted. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

/** The events of one step of a message; never empty. */
export type EmailEvents = readonly EmailEvent[];

/** Fewer messages get a row for each event. */
export const MIN_GROUP = 5;

export const firstOf = (events: EmailEvents): EmailEvent => events[0] as EmailEvent;
export const lastOf = (events: EmailEvents): EmailEvent => events.at(-1) as EmailEvent;

/** Groups messages with equal events. No contact is in a group twice, so counting what a contact got means counting groups. */
export function groupAlike(messages: readonly EmailEvents[]): Iterable<readonly EmailEvents[]> {
  const kinds = new Map<string, EmailEvents[]>();
  const times = new Map<string, number>();
  for (const events of messages) {
    const { contactId } = firstOf(events);
    const kind = kindOf(events);
    const before = contactId === null ? 0 : (times.get(`${kind}/${contactId}`) ?? 0);
    times.set(`${kind}/${contactId}`, before + 1);
    const alike = kinds.get(`${kind}/${before}`);
    if (alike) alike.push(events);
    else kinds.set(`${kind}/${before}`, [events]);
  }
  return kinds.values();
}

/** Returns the key of a group. All events of a second count as one instant, so that each stays in its hour and its day. */
function kindOf(events: EmailEvents): string {
  const { projectId, data } = firstOf(events);
  const second = Math.floor(lastOf(events).at.getTime() / 1000);
  return [projectId, data?.['source'], events.map(({ name }) => name).join(), second].join('/');
}
