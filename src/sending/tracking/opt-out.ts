import type { ClientSession } from 'mongoose';
import { campaignFigures } from '../../records/campaign-figures';
import { findContacts, reserveId, optOut } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { findFacts, noteOptOut, untilWritten } from '../../records/emails';
import type { EmailFacts } from '../../records/emails';
import { settleMarketing } from '../../audience/topics';
import { personId } from '../../platform/addresses';
import { recordConsent } from '../../records/consent';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import type { Project } from '../../records/projects';
import { isSimulated } from '../../rules/simulator';
import { countMailIn, happeningsOf } from '../../records/stats';
import { findSuppressions, suppress } from '../../records/suppressions';
import type { SuppressionSource } from '../../records/suppressions';

/**
 * Takes the recipient of a message off marketing mail: contact, suppression and both events in one transaction. Once is enough: a repeat changes
 * and emits nothing. `reason` is the person's own, if they gave one. A test message and one to the simulator add no suppression (docs/sending.md, Test without sending).
 * When it has resolved, no marketing message to the person is begun. Resolves to whether there is such a message.
 */
export async function optOutOf(
  core: Pick<Core, 'config'>,
  emailId: string,
  source: SuppressionSource,
  at: Date = new Date(),
  reason: string | null = null,
): Promise<boolean> {
  await untilWritten(emailId);
  const found = await inTransaction(async (session) => {
    const email = (await findFacts([emailId], session)).get(emailId);
    if (!email) return null;
    const project = await getProject(email.projectId);
    const touchesNobody = email.testMode || isSimulated(email.to, core.config.PLATFORM_DOMAIN);
    const listed = !touchesNobody && (await listOptOut(session, project, email, source, at));
    const left = await leave(session, project, email, at);
    if (listed || left.changed) {
      await noteWithdrawal(session, project, email, source, at);
      await emitOptOut(session, email, left.contactId, source, at, reason === null ? {} : { reason });
    }
    return { projectId: email.projectId, contactId: left.contactId, address: email.to, left: listed || left.changed };
  });
  if (found?.left) await settleMarketing(core, found.projectId, [found]);
  return found !== null;
}

/** Records, in the transaction of an opt-out, that a person took their consent back through a message; also of an address that is no contact's. */
export const noteWithdrawal = (
  session: ClientSession,
  { _id: projectId, idSalt }: Pick<Project, '_id' | 'idSalt'>,
  { _id: emailId, to }: Pick<EmailFacts, '_id' | 'to'>,
  source: SuppressionSource,
  at: Date,
): Promise<void> => recordConsent(session, projectId, [{ contactId: personId('ctc', idSalt, to), kind: 'withdrawn', source, emailId, at }]);

/**
 * Emits the events of an opt-out, once for each message: one may opt out through the same message again, after a change of mind. `of` is
 * what of the sender's mail was left.
 */
export async function emitOptOut(
  session: ClientSession,
  { _id: emailId, projectId, source, campaignId, testMode }: EmailFacts,
  contactId: string | null,
  method: SuppressionSource,
  at: Date,
  of: { readonly topicId?: string; readonly reason?: string } = {},
): Promise<void> {
  const first = await noteOptOut(session, { _id: emailId, projectId }, at);
  if (first && campaignId !== null && !testMode) {
    await campaignFigures.only.count([{ projectId, campaignId, emailId, first: ['unsubscribed'] }], session);
  }
  const data = { source, method, first, ...of };
  const event = { projectId, name: 'email.unsubscribed', contactId, emailId, data, testMode, at };
  await countMailIn(session, happeningsOf(event));
  await emit(session, [event]);
}

/** Resolves to whether the address had not opted out before; also where a blocking reason hides that it has. */
async function listOptOut(
  session: ClientSession,
  project: Project,
  { _id: emailId, to }: EmailFacts,
  source: SuppressionSource,
  at: Date,
): Promise<boolean> {
  const record = (await findSuppressions(project._id, project.idSalt, [to], session)).get(to);
  if (record?.reason === 'unsubscribe' || record?.hiddenOptOut) return false;
  const contact = await contactOf(session, project, to);
  // One who was not subscribed has nothing to go back to.
  const optOutLink = contact?.subscribed === false ? null : { emailId, at };
  await suppress(session, project, { email: to, reason: 'unsubscribe', source, at, optOutLink });
  return true;
}

/** Unsubscribes the recipient of a message from marketing mail, if the contact exists; reserves the id of one that does not. */
export async function leave(
  session: ClientSession,
  project: Project,
  { to, testMode }: EmailFacts,
  at: Date,
): Promise<{ readonly contactId: string | null; readonly changed: boolean }> {
  const contactId = personId('ctc', project.idSalt, to);
  const contact = await contactOf(session, project, to);
  if (!contact) {
    await reserveId(session, project._id, contactId);
    return { contactId: null, changed: false };
  }
  if (!contact.subscribed && contact.optedOutAt) return { contactId, changed: false };
  await optOut(session, { projectId: project._id, contactId }, testMode, at);
  return { contactId, changed: contact.subscribed };
}

async function contactOf(session: ClientSession, { _id, idSalt }: Project, to: string): Promise<Contact | undefined> {
  const contactId = personId('ctc', idSalt, to);
  return (await findContacts(_id, [contactId], session)).get(contactId);
}
