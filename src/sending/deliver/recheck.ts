import { answer } from '../../platform/async';
import { addUsage } from '../../records/billing';
import { contactIdFor, findContacts, keptTopicsOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import { withdraw } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';
import { findProject } from '../../records/projects';
import { refusal } from '../../rules/refusal';
import type { RecipientState } from '../../rules/refusal';
import { isSimulated } from '../../rules/simulator';
import { findSuppressions } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { beyondFence } from '../restore-fence';
import { cancelledCampaigns } from './hooks';
import { withinLimits } from './limits';

/** Leaves out what a restore holds back, what was suppressed, opted out of or cancelled meanwhile, and what is not its turn by the limits of its recipient. */
export async function leaveOut(
  core: Core,
  due: readonly Email[],
  now: Date,
): Promise<{ readonly held: number; readonly wanted: readonly Email[] }> {
  const open = await answer(() => beyondFence(core, due));
  const wanted = await answer(() => withoutBlocked(core, open, now));
  return { held: due.length - open.length, wanted: await withinLimits(core, wanted, now, (email) => cancel(email, 'limit_reached', now)) };
}

/** A message that was accepted so long ago has waited, for a pause of sending or behind others. */
const WAITED_MS = 60_000;

/**
 * Leaves out messages whose recipient was suppressed or opted out after they were accepted: these are cancelled, and their credits given back.
 * Only messages that have waited are looked at again; the others were judged a moment ago.
 */
export async function withoutBlocked(core: Core, due: readonly Email[], now: Date): Promise<readonly Email[]> {
  const before = now.getTime() - WAITED_MS;
  const waited = due.filter(
    ({ scheduledFor, attempts, createdAt }) => scheduledFor !== null || attempts > 0 || createdAt.getTime() < before,
  );
  if (waited.length === 0) return due;
  const blocked = new Map<string, string>();
  for (const projectId of new Set(waited.map((email) => email.projectId))) {
    await judge(
      core,
      projectId,
      waited.filter((email) => email.projectId === projectId),
      now,
      blocked,
    );
  }
  for (const email of waited) {
    const reason = blocked.get(email._id);
    if (reason) await cancel(email, reason, now);
  }
  return due.filter(({ _id }) => !blocked.has(_id));
}

async function judge(core: Core, projectId: string, emails: readonly Email[], now: Date, blocked: Map<string, string>): Promise<void> {
  const project = await findProject(projectId);
  // Leftovers of a removed project must not block other mail.
  if (project === null) return emails.forEach(({ _id }) => blocked.set(_id, 'project_removed'));
  const suppressions = await findSuppressions(
    projectId,
    project.idSalt,
    emails.map(({ to }) => to),
  );
  const cancelled = await cancelledCampaigns.only(emails.flatMap(({ campaignId }) => campaignId ?? []));
  // Who was no contact when the message was accepted may be one by now.
  const inTopics = emails.flatMap(({ topic, to }) => (topic ? contactIdFor(project, to) : []));
  const contacts = await findContacts(projectId, [...emails.flatMap(({ contactId }) => contactId ?? []), ...inTopics]);
  const kept = await keptTopicsOf(
    projectId,
    inTopics.filter((id) => !contacts.has(id)),
  );
  const reasonOf = ({ to, type, isTrial, contactId, topic }: Email): string | null => {
    const suppression = isSimulated(to, core.config.PLATFORM_DOMAIN) ? undefined : suppressions.get(to);
    const contact = contacts.get(contactId ?? '');
    const own = contactIdFor(project, to);
    const choices = contacts.get(own) ?? kept.get(own);
    const state = stateOf(suppression, contact, choices);
    return refusal(isTrial ? 'transactional' : type, state, topic, now)?.reason ?? null;
  };
  for (const email of emails) {
    const reason = cancelled.has(email.campaignId ?? '') ? 'campaign_cancelled' : reasonOf(email);
    if (reason) blocked.set(email._id, reason);
  }
}

const stateOf = (
  suppression: Suppression | undefined,
  contact: Contact | undefined,
  choices: RecipientState['choices'],
): RecipientState => ({
  suppression: suppression?.reason ?? null,
  subscribed: contact?.subscribed ?? true,
  choices,
  snoozedUntil: contact?.snoozedUntil,
});

/** Cancels a waiting message, gives its credits back and emits the event. */
export const cancel = (email: Email, reason: string, at: Date): Promise<void> =>
  inTransaction(async (session) => {
    if (!(await withdraw(session, email, reason))) return;
    const { charge, projectId, source, contactId, _id, testMode } = email;
    if (charge) await addUsage(session, projectId, charge.month, source, { messages: -1, credits: -charge.credits });
    await emit(session, [{ projectId, name: 'email.cancelled', contactId, emailId: _id, data: { source, reason }, testMode, at }]);
  });
