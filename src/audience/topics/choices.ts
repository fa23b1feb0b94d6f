import type { ClientSession } from 'mongoose';
import { personId } from '../../platform/addresses';
import { invalid, notFound } from '../../platform/core';
import type { Context, Core, ProjectFacts } from '../../platform/core';
import { recordConsent } from '../../records/consent';
import type { Consent } from '../../records/consent';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { choiceOf, isInTopic, withChoice } from '../../rules/topics';
import type { TopicChoices, TopicSource } from '../../rules/topics';
import { findContacts, topicChoicesOf, writeChoicesOfContacts, writeTopicChoices } from '../contacts';
import type { ChoicesOfPerson } from '../contacts';
import type { Topic } from './service';
import { listTopics } from './service';
import { hook } from '../../platform/hooks';

/** A person who gets less mail. */
export interface LeavingPerson {
  /** Null for an address without a contact. */
  readonly contactId: string | null;
  /** Null where only the contact is known. */
  readonly address: string | null;
}

/** People and the mail that they do not get any more: that of topics, or all marketing mail (null). */
export interface Leaving {
  readonly people: readonly LeavingPerson[];
  readonly topicIds: readonly string[] | null;
}

/** People have left; resolves when what is under way to them has noticed. */
export const onTopicsLeft = hook<(core: Pick<Core, 'config'>, projectId: string, leaving: Leaving) => Promise<void>>('people leave topics');

/** The project whose topics are read or changed; a `Context` is one. */
export interface TopicsContext extends Pick<Context, 'projectId' | 'testMode'> {
  readonly project: Pick<ProjectFacts, 'idSalt'>;
}

/** A contact, by id; or an address in its stored form, whether or not it is a contact's. */
export type Person = { readonly contactId: string } | { readonly address: string };

/** A person's subscription to a topic. */
export interface TopicState {
  readonly topic: Topic;
  /** Whether the person gets its mail. */
  readonly subscribed: boolean;
  /** Whether that is the person's own word, and not the topic's default. */
  readonly explicit: boolean;
  /** Since when, and by what; null where it is not explicit. */
  readonly since: Date | null;
  readonly source: TopicSource | null;
  /** The message that the person answered by it, if so. */
  readonly emailId?: string;
}

export interface WantedTopic {
  readonly topicId: string;
  readonly subscribed: boolean;
}

/** The changes that were made. Pass them to `settleTopics` after the commit. */
export interface TopicsChange {
  readonly projectId: string;
  /** Null for an address without a contact. */
  readonly contactId: string | null;
  /** Null where the person was named by the contact's id. */
  readonly address: string | null;
  /** Topics whose mail the person no longer gets. */
  readonly left: readonly string[];
  /** Topics whose mail the person gets from now on. */
  readonly joined: readonly string[];
  /** The person's subscriptions to all topics after the change. */
  readonly states: readonly TopicState[];
}

const idOf = ({ project }: TopicsContext, person: Person): string =>
  'contactId' in person ? person.contactId : personId('ctc', project.idSalt, person.address);

async function readPerson(ctx: TopicsContext, person: Person, session?: ClientSession): Promise<ChoicesOfPerson> {
  const found = await topicChoicesOf({ projectId: ctx.projectId, contactId: idOf(ctx, person) }, session);
  if (!found.isContact && 'contactId' in person) throw notFound('Contact');
  return found;
}

const stateOf = (choices: TopicChoices, topic: Topic): TopicState => {
  const choice = choiceOf(choices, topic._id);
  return {
    topic,
    subscribed: choice?.subscribed ?? topic.defaultSubscription === 'in',
    explicit: choice !== null,
    since: choice?.since ?? null,
    source: choice?.source ?? null,
    ...(choice?.emailId !== undefined && { emailId: choice.emailId }),
  };
};

/**
 * Resolves to a person's subscription to each topic of the project, in the topics' order. An address without a contact has what is kept by address. With a
 * session, reads as its transaction does. Throws `not_found` for a contact id that the project does not have.
 */
export async function topicsOfContact(ctx: TopicsContext, person: Person, session?: ClientSession): Promise<readonly TopicState[]> {
  const { choices } = await readPerson(ctx, person, session);
  return (await listTopics(ctx, session)).map((topic) => stateOf(choices, topic));
}

/**
 * Changes a person's subscriptions to topics, within the caller's transaction. Emits `contact.topic_subscribed` and `contact.topic_unsubscribed` if the person
 * gets other mail by it. If a topic is named twice, the last change wins. A choice that does not change keeps its date and its source. An import never brings
 * back a person who left. For an address without a contact, only the topics that it left are kept. `emailId` is the message that the person answered.
 *
 * After the commit, and before the caller answers, call `settleTopics` with what this resolves to. Throws 422 `not_found` at `topics.<n>.topicId` for a topic
 * that the project does not have, and `not_found` for such a contact id.
 */
export async function changeTopics(
  session: ClientSession,
  ctx: TopicsContext,
  person: Person,
  changes: readonly WantedTopic[],
  source: TopicSource,
  { at = new Date(), emailId }: { readonly at?: Date; readonly emailId?: string } = {},
): Promise<TopicsChange> {
  const { projectId } = ctx;
  const { isContact, choices: before } = await readPerson(ctx, person, session);
  const topics = new Map((await listTopics(ctx, session)).map((topic) => [topic._id, topic]));
  changes.forEach(({ topicId }, index) => {
    if (!topics.has(topicId)) throw invalid(`topics.${index}.topicId`, 'not_found', 'Topic not found');
  });
  const wanted = new Map(changes.map(({ topicId, subscribed }) => [topicId, subscribed]));
  const choose = (choices: TopicChoices, [topicId, subscribed]: readonly [string, boolean]): TopicChoices =>
    withChoice(choices, subscribed, { topicId, since: at, source, ...(emailId !== undefined && { emailId }) });
  const choices = [...wanted].reduce(choose, before);
  const contactId = isContact ? idOf(ctx, person) : null;
  if (choices !== before) await writeTopicChoices(session, { projectId, contactId: idOf(ctx, person) }, { isContact, choices }, at);
  const turned = [...wanted.keys()].flatMap((topicId) => {
    const topic = topics.get(topicId) as Topic;
    const [was, is] = [before, choices].map((of) => isInTopic({ ...topic, topicId }, of)) as [boolean, boolean];
    return was === is ? [] : [{ topic, subscribed: is }];
  });
  const said = { contactId: idOf(ctx, person), source, at, emailId };
  const consents = [...wanted.keys()].flatMap((topicId) => consentOf(topicId, before, choices, said));
  await recordConsent(session, projectId, consents);
  const events = turned.map((each) => eventOf(ctx, contactId, each, { source, at, emailId }));
  await emit(session, events);
  const turnedTo = (side: boolean): readonly string[] =>
    turned.flatMap(({ topic, subscribed }) => (subscribed === side ? [topic._id] : []));
  const states = [...topics.values()].map((topic) => stateOf(choices, topic));
  const address = 'address' in person ? person.address : null;
  return { projectId, contactId, address, left: turnedTo(false), joined: turnedTo(true), states };
}

/** Returns the entries for the ledger of consent about a topic; none if the choice is the same. Confirmations and forms write fuller entries of their own. */
function consentOf(
  topicId: string,
  before: TopicChoices,
  after: TopicChoices,
  {
    contactId,
    source,
    at,
    emailId = null,
  }: Pick<Consent, 'contactId' | 'source' | 'at'> & { readonly emailId?: string | null | undefined },
): readonly Consent[] {
  const choice = choiceOf(after, topicId);
  if (choice === null || source === 'opt_in' || source === 'form' || choiceOf(before, topicId)?.subscribed === choice.subscribed) return [];
  return [{ contactId, kind: choice.subscribed ? 'changed' : 'withdrawn', source, at, topicId, emailId }];
}

/** Returns the same for all topics that a person chose or left. */
const consentsOf = (before: TopicChoices, after: TopicChoices, said: Pick<Consent, 'contactId' | 'source' | 'at'>): readonly Consent[] =>
  [...(after.topicsIn ?? []), ...(after.topicsOut ?? [])].flatMap(({ topicId }) => consentOf(topicId, before, after, said));

/** The subscriptions that an import sets for a contact, by the keys of topics. */
interface ImportedTopics {
  readonly contactId: string;
  readonly topics: ReadonlyMap<string, boolean>;
}

/**
 * Changes contacts' subscriptions to topics as the rows of an import say, in the transaction of its batch, with a few commands for all. A person who left
 * stays out. A topic that was deleted in the meantime is ignored. Resolves to the contacts who left a topic by it, to be settled after the commit.
 */
export async function importTopics(
  session: ClientSession,
  projectId: string,
  wanted: readonly ImportedTopics[],
  cause: Pick<NewEvent, 'testMode' | 'at' | 'enrols'>,
): Promise<ReadonlySet<string>> {
  const left = new Set<string>();
  if (wanted.length === 0) return left;
  const byKey = new Map((await listTopics({ projectId }, session)).map((topic) => [topic.key, topic]));
  const ids = wanted.map(({ contactId }) => contactId);
  const contacts = await findContacts(projectId, ids, session);
  const written = new Map<string, TopicChoices>();
  const consents: Consent[] = [];
  const events: NewEvent[] = [];
  for (const { contactId, topics } of wanted) {
    const before: TopicChoices = contacts.get(contactId) ?? {};
    let choices = before;
    for (const [key, subscribed] of topics) {
      const topic = byKey.get(key);
      if (!topic) continue;
      const mailTopic = { ...topic, topicId: topic._id };
      const was = isInTopic(mailTopic, choices);
      choices = withChoice(choices, subscribed, { topicId: topic._id, since: cause.at, source: 'import' });
      if (isInTopic(mailTopic, choices) === was) continue;
      if (was) left.add(contactId);
      events.push({ ...eventOf({ projectId, ...cause }, contactId, { topic, subscribed }, { source: 'import', at: cause.at }), ...cause });
    }
    if (choices === before) continue;
    written.set(contactId, choices);
    consents.push(...consentsOf(before, choices, { contactId, source: 'import', at: cause.at }));
  }
  await writeChoicesOfContacts(session, projectId, written, cause.at);
  await recordConsent(session, projectId, consents);
  await emit(session, events);
  return left;
}

const eventOf = (
  { projectId, testMode }: Pick<TopicsContext, 'projectId' | 'testMode'>,
  contactId: string | null,
  { topic, subscribed }: { readonly topic: Topic; readonly subscribed: boolean },
  { source, at, emailId = null }: { readonly source: TopicSource; readonly at: Date; readonly emailId?: string | null | undefined },
): NewEvent => ({
  projectId,
  name: subscribed ? 'contact.topic_subscribed' : 'contact.topic_unsubscribed',
  contactId,
  emailId,
  data: { topicId: topic._id, key: topic.key, source },
  testMode,
  at,
});

/**
 * Stops mail of topics to a person who left them: once it has resolved, no message of those topics is claimed for the person. Call it after the commit of
 * `changeTopics`, before the caller answers. Safe to repeat; does nothing for a person who left none.
 */
export async function settleTopics(core: Pick<Core, 'config'>, { projectId, contactId, address, left }: TopicsChange): Promise<void> {
  if (left.length > 0) await settle(core, projectId, { people: [{ contactId, address }], topicIds: left });
}

/** Does the same for people who want no marketing mail any more, none for now, or no mail at all; also for addresses without a contact. */
export const settleMarketing = (core: Pick<Core, 'config'>, projectId: string, people: Leaving['people']): Promise<void> =>
  settle(core, projectId, { people, topicIds: null });

async function settle(core: Pick<Core, 'config'>, projectId: string, leaving: Leaving): Promise<void> {
  if (leaving.people.length === 0) return;
  for (const take of onTopicsLeft.answers) await take(core, projectId, leaving);
}
