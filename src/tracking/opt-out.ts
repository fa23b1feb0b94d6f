import type { ClientSession } from 'mongoose';
import { countOptOut } from '../campaigns/counters';
import { contactIdFor, findContacts, optOut } from '../contacts/service';
import type { Core } from '../context';
import { findFacts } from '../emails/engagement';
import type { EmailFacts } from '../emails/engagement';
import { emit } from '../events/emit';
import { inTransaction } from '../mongo/transaction';
import { getProject } from '../projects/service';
import type { Project } from '../projects/service';
import { isSimulated } from '../rules/simulator';
import { countMailIn } from '../stats/count';
import { findSuppressions, suppress } from '../suppressions/service';
import type { SuppressionSource } from '../suppressions/service';

/** The name of the project that sent a message, or null when there is no such message. */
export async function senderOf(emailId: string): Promise<string | null> {
  const email = (await findFacts([emailId])).get(emailId);
  return email ? (await getProject(email.projectId)).name : null;
}

/**
 * Takes the recipient of a message off marketing mail: contact, suppression and both events in one transaction. Once is enough: a repeat changes
 * and emits nothing. A test message and one to the simulator add no suppression (docs/sending.md, Test mode and Simulator).
 * Resolves to the sending project's name, or null when there is no such message.
 */
export function optOutOf(
  core: Pick<Core, 'config'>,
  emailId: string,
  source: SuppressionSource,
  at: Date = new Date(),
): Promise<string | null> {
  return inTransaction(async (session) => {
    const email = (await findFacts([emailId], session)).get(emailId);
    if (!email) return null;
    const project = await getProject(email.projectId);
    const touchesNobody = email.testMode || isSimulated(email.to, core.config.PLATFORM_DOMAIN);
    const listed = !touchesNobody && (await listOptOut(session, project, email, source, at));
    const left = await leave(session, project, email, at);
    if (listed || left.changed) {
      const { projectId, testMode } = email;
      await countOptOut(session, email, at);
      await countMailIn(session, [{ projectId, source: email.source, testMode, counter: 'unsubscribed', at }]);
      const data = { source: email.source, method: source };
      await emit(session, [{ projectId, name: 'email.unsubscribed', contactId: left.contactId, emailId, data, testMode, at }]);
    }
    return project.name;
  });
}

/** Resolves to whether the address had not opted out before; also where a blocking reason hides that it has. */
async function listOptOut(
  session: ClientSession,
  project: Project,
  { to }: EmailFacts,
  source: SuppressionSource,
  at: Date,
): Promise<boolean> {
  const record = (await findSuppressions(project._id, project.idSalt, [to], session)).get(to);
  if (record?.reason === 'unsubscribe' || record?.hiddenOptOut) return false;
  await suppress(session, project, { email: to, reason: 'unsubscribe', source, at });
  return true;
}

async function leave(
  session: ClientSession,
  project: Project,
  { to, testMode }: EmailFacts,
  at: Date,
): Promise<{ readonly contactId: string | null; readonly changed: boolean }> {
  const contactId = contactIdFor(project, to);
  const contact = (await findContacts([contactId], session)).get(contactId);
  if (!contact) return { contactId: null, changed: false };
  if (!contact.subscribed && contact.optedOutAt) return { contactId, changed: false };
  await optOut(session, contactId, testMode, at);
  return { contactId, changed: contact.subscribed };
}
