import type { ClientSession } from 'mongoose';
import { findContacts, reserveId, optOut } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { changeTopics, readTopic, settleTopics, topicsOfContact, settleMarketing } from '../../audience/topics';
import type { Topic, TopicsChange, TopicsContext } from '../../audience/topics';
import { isErasedAddress, personId } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { findFacts, untilWritten, noteOptOut, findWhole, readBodies } from '../../records/emails';
import type { EmailFacts } from '../../records/emails';
import { getProject } from '../../records/projects';
import type { Project } from '../../records/projects';
import { findSuppressions, holdsOptOut, suppress } from '../../records/suppressions';
import type { SuppressionSource } from '../../records/suppressions';
import { isSimulated } from '../../rules/simulator';
import { UNDO_MS, undoOptOut } from './opt-in';
import { campaignFigures } from '../../records/campaign-figures';
import { recordConsent } from '../../records/consent';
import { emit } from '../../records/events';
import { countMailIn, happeningsOf } from '../../records/stats';

/** Ways in which people leave from a message. */
type Way = 'one_click' | 'link' | 'mailto';

/** The topic that a person left; null for all marketing mail. */
interface LeftByMail {
  readonly topic: Topic | null;
}

/**
 * Takes the recipient of a message off what it is about: off its topic, where it has one, else off all marketing mail. Once is enough: a repeat changes and
 * emits nothing. When it has resolved, no message of the topic is begun for the person. Resolves to null if the message does not exist.
 */
export async function leaveByMail(
  core: Pick<Core, 'config'>,
  emailId: string,
  way: Way,
  at: Date = new Date(),
): Promise<LeftByMail | null> {
  await untilWritten(emailId);
  const left = await inTransaction(async (session) => {
    const found = await topicOf(emailId, session);
    return found && { topic: found.topic, change: await leaveTopic(core, session, found, way, at) };
  });
  if (!left) return (await optOutOf(core, emailId, way, at)) ? { topic: null } : null;
  if (left.change) await settleTopics(core, left.change);
  return { topic: left.topic };
}

interface OfTopic {
  readonly email: EmailFacts;
  readonly topic: Topic;
  readonly ctx: TopicsContext;
}

/** Resolves to a message with its topic; null if the message does not exist, or the topic is none or gone. */
async function topicOf(emailId: string, session?: ClientSession): Promise<OfTopic | null> {
  const email = (await findFacts([emailId], session)).get(emailId);
  const topic = email?.topic ? await readTopic(email.projectId, email.topic.topicId, session) : null;
  if (!email || !topic) return null;
  const { projectId, testMode } = email;
  return { email, topic, ctx: { projectId, testMode, project: await getProject(projectId) } };
}

/** Resolves to the name of a message's topic, for the page that asks; null where it has none. */
export const topicOfMail = async (emailId: string): Promise<Topic | null> => (await topicOf(emailId))?.topic ?? null;

/** Leaves a topic. A test message, and one to the simulator, keeps nothing of an address that is no contact. */
async function leaveTopic(
  core: Pick<Core, 'config'>,
  session: ClientSession,
  { email, topic, ctx }: OfTopic,
  way: Way,
  at: Date,
): Promise<TopicsChange | null> {
  const { _id: emailId, projectId, to, testMode } = email;
  const contactId = personId('ctc', ctx.project.idSalt, to);
  const isContact = (await findContacts(projectId, [contactId], session)).has(contactId);
  if (!isContact && (testMode || isSimulated(to, core.config.PLATFORM_DOMAIN))) return null;
  const change = await changeTopics(session, ctx, { address: to }, [{ topicId: topic._id, subscribed: false }], way, { at, emailId });
  if (change.left.length > 0) await emitOptOut(session, email, change.contactId, way, at, { topicId: topic._id });
  return change;
}

/**
 * Takes back that the recipient of a message left through it what it is about, within 30 days: its topic, or, where all marketing mail was left, that. Resolves
 * as `undoOptOut`.
 */
export async function undoByMail(
  emailId: string,
  at: Date = new Date(),
): Promise<{ readonly topic: Topic | null; readonly isUndone: boolean } | null> {
  const joined = await inTransaction(async (session) => {
    const found = await topicOf(emailId, session);
    if (!found) return null;
    const { email, topic, ctx } = found;
    if (email.testMode || isErasedAddress(email.to) || (await hasLeftEverything(session, found))) return null;
    const state = (await topicsOfContact(ctx, { address: email.to }, session)).find((each) => each.topic._id === topic._id);
    if (state?.subscribed !== false) return { topic, isUndone: state !== undefined };
    const isOfMail = state.emailId === emailId && state.since !== null && at.getTime() - state.since.getTime() <= UNDO_MS;
    if (isOfMail)
      await changeTopics(session, ctx, { address: email.to }, [{ topicId: topic._id, subscribed: true }], 'link', { at, emailId });
    return { topic, isUndone: isOfMail };
  });
  if (joined) return joined;
  const isUndone = await undoOptOut(emailId, at);
  return isUndone === null ? null : { topic: null, isUndone };
}

async function hasLeftEverything(session: ClientSession, { email: { projectId, to }, ctx: { project } }: OfTopic): Promise<boolean> {
  const record = (await findSuppressions(projectId, project.idSalt, [to], session)).get(to);
  const contactId = personId('ctc', project.idSalt, to);
  return holdsOptOut(record) || (await findContacts(projectId, [contactId], session)).get(contactId)?.subscribed === false;
}

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
async function emitOptOut(
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

/**
 * Resolves to the HTML of a message as its recipient reads it, untracked, or to null HTML if it is no longer kept; null if the message
 * does not exist.
 */
export async function viewOf(core: Pick<Core, 'config' | 'secrets'>, emailId: string): Promise<{ readonly html: string | null } | null> {
  const email = await findWhole(emailId);
  if (!email) return null;
  const { html, isKept } = await readBodies(core, email);
  return { html: isKept ? html : null };
}
