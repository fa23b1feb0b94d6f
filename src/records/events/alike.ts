import type { EmailEventName } from '../../rules/email-events';
import type { NewEvent } from './emit';

/** An event of a message, under the id that it has however often it is told. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

/** What a step of a message brings; never empty. */
export type EmailEvents = readonly EmailEvent[];

/** Fewer messages are told of one by one. */
export const MIN_GROUP = 5;

export const firstOf = (told: EmailEvents): EmailEvent => told[0] as EmailEvent;
export const lastOf = (told: EmailEvents): EmailEvent => told.at(-1) as EmailEvent;

/** No contact is twice among alike ones: whoever counts what a contact got counts groups. */
export function groupAlike(messages: readonly EmailEvents[]): Iterable<readonly EmailEvents[]> {
  const kinds = new Map<string, EmailEvents[]>();
  const times = new Map<string, number>();
  for (const told of messages) {
    const { contactId } = firstOf(told);
    const kind = kindOf(told);
    const before = contactId === null ? 0 : (times.get(`${kind}/${contactId}`) ?? 0);
    times.set(`${kind}/${contactId}`, before + 1);
    const alike = kinds.get(`${kind}/${before}`);
    if (alike) alike.push(told);
    else kinds.set(`${kind}/${before}`, [told]);
  }
  return kinds.values();
}

/** What happened within a second counts as one instant, so that each stays in its hour and its day. */
function kindOf(told: EmailEvents): string {
  const { projectId, data } = firstOf(told);
  const second = Math.floor(lastOf(told).at.getTime() / 1000);
  return [projectId, data?.['source'], told.map(({ name }) => name).join(), second].join('/');
}
