import { answer } from '../../platform/async';
import { addUsage } from '../../records/billing';
import { contactIdFor, findContacts, keptTopicsOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import type { LeavingPerson } from '../../audience/topics';
import { dueFor, holdRetries, putOff, withdraw } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit } from '../../records/events';
import { inTransaction, ofProjects } from '../../platform/mongo';
import { findProject } from '../../records/projects';
import { refusal } from '../../rules/refusal';
import type { RecipientState } from '../../rules/refusal';
import { isSimulated } from '../../rules/simulator';
import { suppressionsOfContacts } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { withoutRefused } from '../provider-holds';
import { beyondFence } from '../restore-fence';
import { stoppedCampaigns } from './hooks';
import type { StoppedCampaigns } from './hooks';
import { withinLimits } from './limits';

/** Leaves out what a restore holds back, what was suppressed, opted out of or cancelled meanwhile, and what the limits of its recipient do not let go yet. */
export async function leaveOut(
  core: Core,
  due: readonly Email[],
  now: Date,
): Promise<{ readonly held: number; readonly wanted: readonly Email[] }> {
  const open = await answer(() => beyondFence(core, due));
  const unblocked = await answer(() => withoutBlocked(core, open, now));
  const wanted = await answer(() => withoutRefused(core, unblocked, now, putOff));
  return { held: due.length - open.length, wanted: await withinLimits(core, wanted, now, (email) => cancel(email, 'limit_reached', now)) };
}

/**
 * Leaves out messages whose recipient was suppressed, opted out, left their topic or paused after they were accepted: these are cancelled, and their credits
 * given back. A few queries check all messages of a page.
 */
export async function withoutBlocked(core: Pick<Core, 'config'>, due: readonly Email[], now: Date): Promise<readonly Email[]> {
  if (due.length === 0) return due;
  const { blocked, held } = await recheckRows(core, due, now);
  if (blocked.size === 0 && held.size === 0) return due;
  for (const email of due) {
    const reason = blocked.get(email._id);
    if (reason !== undefined) await cancel(email, reason, now);
  }
  for (const [campaignId, until] of held) {
    const projectId = due.find((email) => email.campaignId === campaignId)?.projectId;
    if (projectId !== undefined) await holdRetries({ projectId, campaignId }, now, until);
  }
  return due.filter(({ _id, campaignId }) => !blocked.has(_id) && !held.has(campaignId ?? ''));
}

/** The most by which the clocks of two machines differ. */
const CLOCKS_MS = 60_000;

/**
 * Cancels what is due for people whose state has changed, and that they do not want any more. Once it has resolved, no such message is claimed for them: what a
 * pump found before the change waits no longer, and what it finds later is checked after the change.
 */
export async function withdrawUnwanted(
  core: Pick<Core, 'config'>,
  projectId: string,
  { people }: { readonly people: readonly LeavingPerson[] },
): Promise<void> {
  const contactIds = people.flatMap(({ contactId }) => contactId ?? []);
  const contacts = await findContacts(projectId, contactIds);
  const addresses = [...people.flatMap(({ address }) => address ?? []), ...[...contacts.values()].map(({ email }) => email)];
  const now = new Date();
  const until = new Date(now.getTime() + CLOCKS_MS);
  await withoutBlocked(core, await dueFor({ projectId, contactIds, addresses: [...new Set(addresses)] }, until), now);
}

interface Rechecked {
  /** Why messages are not to go out, by their ids. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Campaigns that hold their retries, with the time to check again. */
  readonly held: StoppedCampaigns['held'];
}

async function recheckRows(core: Pick<Core, 'config'>, emails: readonly Email[], now: Date): Promise<Rechecked> {
  const ofThese = ofProjects(emails);
  const found = await Promise.all(ofThese.$in.map(findProject));
  const projects = new Map(found.flatMap((project) => (project ? [[project._id, project] as const] : [])));
  // The contact that its address has or would have: who was no contact when the message was accepted may be one by now.
  const own = new Map(
    emails.flatMap(({ _id, projectId, to }) => {
      const project = projects.get(projectId);
      return project ? [[_id, contactIdFor(project, to)] as const] : [];
    }),
  );
  const marketing = emails.filter((email) => own.has(email._id) && typeOf(email) === 'marketing');
  const inTopics = marketing.flatMap(({ _id, topic }) => (topic ? (own.get(_id) ?? []) : []));
  const [suppressions, { cancelled, held }, contacts] = await Promise.all([
    suppressionsOfContacts(ofThese, [...own.values()]),
    stoppedCampaigns.only(
      emails.flatMap(({ campaignId }) => campaignId ?? []),
      now,
    ),
    findContacts(ofThese, [...marketing.flatMap(({ contactId }) => contactId ?? []), ...inTopics]),
  ]);
  const kept = await keptTopicsOf(
    ofThese,
    inTopics.filter((id) => !contacts.has(id)),
  );
  const reasonOf = (email: Email): string | null => {
    const id = own.get(email._id);
    // Leftovers of a removed project must not block other mail.
    if (id === undefined) return 'project_removed';
    if (cancelled.has(email.campaignId ?? '')) return 'campaign_cancelled';
    const suppression = isSimulated(email.to, core.config.PLATFORM_DOMAIN) ? undefined : suppressions.get(id);
    const state = stateOf(suppression, contacts.get(email.contactId ?? ''), contacts.get(id) ?? kept.get(id));
    return refusal(typeOf(email), state, email.topic, now)?.reason ?? null;
  };
  const blocked = emails.flatMap((email) => {
    const reason = reasonOf(email);
    return reason === null ? [] : [[email._id, reason] as const];
  });
  return { blocked: new Map(blocked), held };
}

// A trial reaches its author, who may have opted out.
const typeOf = ({ isTrial, type }: Email): Email['type'] => (isTrial ? 'transactional' : type);

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
