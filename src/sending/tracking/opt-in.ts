import { findContacts, keepPlace, optIn } from '../../audience/contacts';
import { findFacts } from '../../records/emails';
import { isErasedAddress, personId } from '../../platform/addresses';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { findSuppressions, forgetOptOut } from '../../records/suppressions';

/** Who reads a page of a message. */
export interface Reader {
  /** The name of the project that sent it. */
  readonly sender: string;
  /** Of the contact; null where it has none, or there is none. */
  readonly locale: string | null;
}

/** Who a message was sent to, and by whom; null when there is no such message. */
export async function readerOf(emailId: string): Promise<Reader | null> {
  const email = (await findFacts([emailId])).get(emailId);
  if (!email) return null;
  const { name, idSalt } = await getProject(email.projectId);
  const contactId = personId('ctc', idSalt, email.to);
  return { sender: name, locale: (await findContacts([contactId])).get(contactId)?.locale ?? null };
}

/**
 * Takes back that the recipient of a message opted out: contact, suppression and event in one transaction. Once is enough: a repeat changes and emits
 * nothing. Resolves to false, and changes nothing, where another reason than the opt-out keeps mail from the address or its person was erased; to null when
 * there is no such message.
 */
export function undoOptOut(emailId: string, at: Date = new Date()): Promise<boolean | null> {
  return inTransaction(async (session) => {
    const email = (await findFacts([emailId], session)).get(emailId);
    if (!email) return null;
    const { projectId, to, testMode } = email;
    const project = await getProject(projectId);
    const record = (await findSuppressions(projectId, project.idSalt, [to], session)).get(to);
    if (isErasedAddress(to) || (record && record.reason !== 'unsubscribe')) return false;
    const contactId = personId('ctc', project.idSalt, to);
    const isKnown = (await findContacts([contactId], session)).has(contactId);
    if (!isKnown) await keepPlace(session, contactId);
    const forgotten = await forgetOptOut(session, project, to);
    const returned = isKnown && (await optIn(session, contactId, at));
    if (forgotten || returned) {
      const event = { projectId, contactId: isKnown ? contactId : null, emailId, testMode, at };
      await emit(session, [{ ...event, name: 'contact.subscribed', data: { source: 'link' } }]);
    }
    return true;
  });
}
