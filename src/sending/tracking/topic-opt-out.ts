import type { ClientSession } from 'mongoose';
import { findContacts } from '../../audience/contacts';
import { changeTopics, readTopic, settleTopics, topicsOfContact } from '../../audience/topics';
import type { Topic, TopicsChange, TopicsContext } from '../../audience/topics';
import { isErasedAddress, personId } from '../../platform/addresses';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { findFacts, untilWritten } from '../../records/emails';
import type { EmailFacts } from '../../records/emails';
import { getProject } from '../../records/projects';
import { findSuppressions, holdsOptOut } from '../../records/suppressions';
import { isSimulated } from '../../rules/simulator';
import { emitOptOut, optOutOf } from './opt-out';
import { UNDO_MS, undoOptOut } from './opt-in';

/** Ways in which people leave from a message. */
type Way = 'one_click' | 'link' | 'mailto';

/** The topic that a person left; null for all marketing mail. */
export interface LeftByMail {
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
