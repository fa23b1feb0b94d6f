import { findContacts, reserveId, optIn } from '../../audience/contacts';
import { findFacts } from '../../records/emails';
import type { Brand } from '../../contracts/brand';
import { senderName } from '../../rules/brand';
import { isErasedAddress, personId } from '../../platform/addresses';
import { emit } from '../../records/events';
import { recordConsent } from '../../records/consent';
import { inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { findSuppressions, forgetOptOut } from '../../records/suppressions';
import type { Suppression, SuppressionSource } from '../../records/suppressions';

/** The reader of a page of a message. */
export interface Reader {
  /** The name of who sent it: the brand's, or the project's. */
  readonly sender: string;
  readonly brand: Brand | undefined;
  /** The contact's locale; null if it has none, or if there is no contact. */
  readonly locale: string | null;
}

/** Resolves to the recipient and the sender of a message; null if the message does not exist. */
export async function readerOf(emailId: string): Promise<Reader | null> {
  const email = (await findFacts([emailId])).get(emailId);
  if (!email) return null;
  const project = await getProject(email.projectId);
  const contactId = personId('ctc', project.idSalt, email.to);
  return {
    sender: senderName(project),
    brand: project.brand,
    locale: (await findContacts(email.projectId, [contactId])).get(contactId)?.locale ?? null,
  };
}

/** Time within which a recipient can undo an opt-out here. */
export const UNDO_MS = 30 * 86_400_000;

/**
 * Takes back that the recipient of a message opted out through it, within 30 days: contact, suppression and event in one transaction. Once is enough: a repeat
 * changes and emits nothing. Resolves to false, and changes nothing, where somebody is off marketing mail for any other reason, of a test message, and where the
 * person was erased; to null if the message does not exist.
 */
export const undoOptOut = (emailId: string, at: Date = new Date()): Promise<boolean | null> =>
  takeBack(emailId, 'link', (record) => isUndoneBy(record, emailId, at), at);

/** Does the same for any opt-out that is the person's own act, through whichever message and whenever: on the preference page they say that they want mail again. */
export const subscribeAgain = (emailId: string, at: Date): Promise<boolean | null> => takeBack(emailId, 'preferences', isOwnAct, at);

function takeBack(
  emailId: string,
  source: 'link' | 'preferences',
  isTakenBack: (record: Suppression) => boolean,
  at: Date,
): Promise<boolean | null> {
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
    if (!isTakenBack(record)) return false;
    await forgetOptOut(session, project, to);
    await (contact ? optIn(session, { projectId, contactId }, at) : reserveId(session, projectId, contactId));
    await recordConsent(session, projectId, [{ contactId, kind: 'changed', source: 'link', emailId, at }]);
    const event = { projectId, contactId: contact ? contactId : null, emailId, testMode, at };
    await emit(session, [{ ...event, name: 'contact.subscribed', data: { source } }]);
    return true;
  });
}

const isUndoneBy = ({ reason, optOutLink }: Suppression, emailId: string, at: Date): boolean =>
  reason === 'unsubscribe' && optOutLink?.emailId === emailId && at.getTime() - optOutLink.at.getTime() <= UNDO_MS;

const OWN_ACTS: ReadonlySet<SuppressionSource> = new Set(['link', 'one_click', 'mailto']);

/** Returns whether an address is off marketing mail by what its person did in their mail, and for no other reason. */
export const isOwnAct = ({ reason, source }: Pick<Suppression, 'reason' | 'source'>): boolean =>
  reason === 'unsubscribe' && OWN_ACTS.has(source);
