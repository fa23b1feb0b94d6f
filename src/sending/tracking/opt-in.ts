import { findContacts, keepPlace, optIn } from '../../audience/contacts';
import { findFacts } from '../../records/emails';
import { isErasedAddress, personId } from '../../platform/addresses';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { findSuppressions, forgetOptOut } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';

/** The reader of a page of a message. */
export interface Reader {
  /** The name of the project that sent it. */
  readonly sender: string;
  /** The contact's locale; null if it has none, or if the contact does not exist. */
  readonly locale: string | null;
}

/** Resolves to the recipient and the sender of a message; null if the message does not exist. */
export async function readerOf(emailId: string): Promise<Reader | null> {
  const email = (await findFacts([emailId])).get(emailId);
  if (!email) return null;
  const { name, idSalt } = await getProject(email.projectId);
  const contactId = personId('ctc', idSalt, email.to);
  return { sender: name, locale: (await findContacts(email.projectId, [contactId])).get(contactId)?.locale ?? null };
}

/** After that, who wants mail again says so to the sender. */
const UNDO_MS = 30 * 86_400_000;

/**
 * Takes back that the recipient of a message opted out through it, within 30 days: contact, suppression and event in one transaction. Once is enough: a repeat
 * changes and emits nothing. Resolves to false, and changes nothing, where somebody is off marketing mail for any other reason, of a test message, and where the
 * person was erased; to null when there is no such message.
 */
export function undoOptOut(emailId: string, at: Date = new Date()): Promise<boolean | null> {
  return inTransaction(async (session) => {
    const email = (await findFacts([emailId], session)).get(emailId);
    if (!email) return null;
    const { projectId, to, testMode } = email;
    if (testMode || isErasedAddress(to)) return false;
    const project = await getProject(projectId);
    const record = (await findSuppressions(projectId, project.idSalt, [to], session)).get(to);
    const contactId = personId('ctc', project.idSalt, to);
    const contact = (await findContacts(projectId, [contactId], session)).get(contactId);
    if (!record) return contact?.subscribed !== false;
    if (!isUndoneBy(record, emailId, at)) return false;
    await forgetOptOut(session, project, to);
    await (contact ? optIn(session, { projectId, contactId }, at) : keepPlace(session, projectId, contactId));
    const event = { projectId, contactId: contact ? contactId : null, emailId, testMode, at };
    await emit(session, [{ ...event, name: 'contact.subscribed', data: { source: 'link' } }]);
    return true;
  });
}

const isUndoneBy = ({ reason, optOutLink }: Suppression, emailId: string, at: Date): boolean =>
  reason === 'unsubscribe' && optOutLink?.emailId === emailId && at.getTime() - optOutLink.at.getTime() <= UNDO_MS;
