import { newId } from '../../platform/core';
import { messageIdOf } from '../../records/emails';
import type { Copied } from '../../records/emails';
import type { Draft, PreparedRecipient, Recipient, SendMessage } from './types';

const NO_ONE: readonly Recipient[] = [];

export const isCopied = ({ cc, bcc }: Pick<SendMessage, 'cc' | 'bcc'>): boolean => Boolean(cc ?? bcc);

/** Lists all recipients of a message; an address may occur more than once. */
export const recipientsOf = ({ to, cc, bcc }: Pick<SendMessage, 'to' | 'cc' | 'bcc'>): readonly Recipient[] =>
  (cc ?? bcc) ? [...to, ...(cc ?? NO_ONE), ...(bcc ?? NO_ONE)] : to;

/** Removes repeated addresses: each keeps its first place and name. */
export function onlyOnce(list: readonly Recipient[]): Iterable<Recipient> {
  if (list.length === 1) return list;
  const once = new Map<string, Recipient>();
  for (const one of list) {
    const before = once.get(one.email);
    if (!before || (!before.name && one.name)) once.set(one.email, one);
  }
  return once.values();
}

/**
 * Joins the messages for each recipient into one: `to` and `cc` see each other, and all read the first one's text. A `cc` or `bcc` does not
 * become a contact.
 */
export function asOneMessage(
  { message, fromEmail }: Pick<Draft, 'message' | 'fromEmail'>,
  rendered: readonly PreparedRecipient[],
  known: ReadonlyMap<string, { readonly contactId: string }>,
): readonly PreparedRecipient[] {
  const [first] = rendered;
  if (!isCopied(message) || !first) return rendered;
  const [to, cc] = [message.to, message.cc ?? NO_ONE];
  // Not derived from an e-mail's id: recipients of copies could recognize each other's reports by it.
  const messageId = messageIdOf(newId('msg'), fromEmail);
  const people = [...new Set([...to, ...cc].flatMap(({ email }) => known.get(email)?.contactId ?? []))];
  const shown = { to: headerOf(to), cc: headerOf(cc) };
  const asOf = (email: string): Copied['as'] => (isIn(to, email) ? 'to' : isIn(cc, email) ? 'cc' : 'bcc');
  return rendered.map((each) => {
    const as = asOf(each.email);
    const copied: Copied = { as, ...shown, people, words: first.contactId };
    return { ...each, createsContact: as === 'to' && each.createsContact, copied, messageId };
  });
}

const isIn = (list: readonly Recipient[], email: string): boolean => list.some((one) => one.email === email);

const headerOf = (list: readonly Recipient[]): Copied['to'] => [...onlyOnce(list)].map(({ email, name }) => ({ address: email, name }));
