import { answer } from '../../platform/async';
import { addUsage } from '../../records/billing';
import { contactIdFor, findContacts, keptTopicsOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Core } from '../../platform/core';
import type { LeavingPerson } from '../../audience/topics';
import { dueFor, holdRetries, putOff, withdraw, moveWaiting } from '../../records/emails';
import type { Email, MailLimits } from '../../records/emails';
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
import type { ClientSession } from 'mongoose';
import { LimitBook } from '../../records/person-limits';
import type { Limited } from '../../records/person-limits';
import { afterWaiting } from '../../rules/person-limits';
import { Clocks, openingFrom } from '../../rules/send-windows';

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

/** Decisions about messages that may not go yet. */
interface Decided {
  /** Wait again, each until an instant. */
  readonly later: ReadonlyMap<string, Date>;
  readonly reached: readonly Email[];
}

/**
 * Counts messages in their limits from now on, as their first attempt follows, and leaves out those that may not go yet: a message that was late may have taken
 * it, or its window is closed by now. They wait again, or are stopped by `stop`. Asks nothing about messages without limits.
 */
async function withinLimits(
  core: Core,
  due: readonly Email[],
  now: Date,
  stop: (email: Email) => Promise<void>,
): Promise<readonly Email[]> {
  const limited = due.filter(({ limits }) => limits !== undefined);
  if (limited.length === 0) return due;
  const left = new Set<string>();
  for (const projectId of new Set(limited.map((email) => email.projectId))) {
    const own = limited.filter((email) => email.projectId === projectId).sort((one, other) => +one.createdAt - +other.createdAt);
    const { later, reached } = await inTransaction((session) => decide(session, core, projectId, own, now));
    for (const email of reached) await stop(email);
    for (const id of [...later.keys(), ...reached.map(({ _id }) => _id)]) left.add(id);
  }
  return due.filter(({ _id }) => !left.has(_id));
}

async function decide(session: ClientSession, core: Core, projectId: string, emails: readonly Email[], now: Date): Promise<Decided> {
  const messages = emails.flatMap((email) => (email.limits ? [{ email, limited: limitedBy(email, email.limits, now) }] : []));
  const wanted = messages.map(({ limited }) => limited);
  const book = await LimitBook.read(session, projectId, wanted, now);
  const opensFor = await windowsOf(session, projectId, emails);
  const later = new Map<string, Date>();
  const reached: Email[] = [];
  for (const { email, limited } of messages) {
    if (book.isCommitted(limited, email._id)) continue;
    const opensFrom = opensFor(email);
    const opens = opensFrom(now);
    const mayGoNow = opens <= now && book.mayGoNow(limited, email._id);
    const sendTime = mayGoNow ? { at: now } : book.sendTime(limited, opens, { id: email._id, opensFrom });
    if ('reached' in sendTime) reached.push(email);
    else {
      const waits = sendTime.at > now;
      book.take(limited, { id: email._id, at: sendTime.at, ...(waits && { held: true as const }) });
      if (waits) later.set(email._id, sendTime.at);
    }
  }
  await book.write();
  if (later.size > 0) await moveWaiting(session, core, projectId, later);
  return { later, reached };
}

const AT_ANY_TIME = (at: Date): Date => at;

/** Resolves to how the next openings of messages are found: by the clocks of their recipients as they are now. */
async function windowsOf(
  session: ClientSession,
  projectId: string,
  emails: readonly Email[],
): Promise<(email: Email) => ReturnType<typeof openingFrom>> {
  const ids = emails.flatMap(({ contactId, limits }) => (limits?.windows && contactId ? [contactId] : []));
  const contacts = ids.length > 0 ? await findContacts(projectId, ids, session) : new Map<string, { readonly timezone: string | null }>();
  const clocks = new Clocks();
  return ({ contactId, limits }) =>
    limits?.windows ? openingFrom(limits.windows, contacts.get(contactId ?? '')?.timezone, clocks) : AT_ANY_TIME;
}

/** Returns the limits of a message with what is left of their waits. */
const limitedBy = ({ contactId }: Email, { of = contactId ?? '', since, rules }: MailLimits, now: Date): Limited => ({
  of,
  limits: afterWaiting(rules, since, now),
});
