import type { ClientSession } from 'mongoose';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { topicsOfContact } from '../../audience/topics';
import type { TopicState, TopicsContext } from '../../audience/topics';
import type { Brand } from '../../contracts/brand';
import { isErasedAddress, personId } from '../../platform/addresses';
import { findFacts } from '../../records/emails';
import type { EmailFacts } from '../../records/emails';
import { getProject } from '../../records/projects';
import type { Project } from '../../records/projects';
import { findSuppressions } from '../../records/suppressions';
import { senderName } from '../../rules/brand';
import { maskedAddress } from '../../rules/masked-address';
import { isPaused } from '../../rules/pause';
import type { TopicSource } from '../../rules/topics';
import { isOwnAct } from '../tracking';

/** A person's choices for the marketing mail of a project, as the page shows them. */
export interface Preferences {
  readonly sender: string;
  readonly brand: Brand | undefined;
  /** The contact's locale; null if it has none, or if there is no contact. */
  readonly locale: string | null;
  /** The address, named in part. */
  readonly address: string;
  /** Whether the person gets marketing mail at all. */
  readonly subscribed: boolean;
  /** Whether someone who gets none may change that here. */
  readonly maySubscribe: boolean;
  /** Only contacts pause. */
  readonly mayPause: boolean;
  readonly pausedUntil: Date | null;
  /** The topics that are shown. */
  readonly topics: readonly TopicState[];
}

/** The recipient of a message, with their preferences. */
export interface Recipient {
  readonly email: EmailFacts;
  readonly project: Project;
  readonly contactId: string;
  readonly preferences: Preferences;
}

/** Returns the context in which topics are read and changed for a message. */
const topicsContext = (project: Project, { testMode }: Pick<EmailFacts, 'testMode'>): TopicsContext => ({
  projectId: project._id,
  testMode,
  project,
});

/** Resolves to the recipient of a message; null if the message does not exist, or if the person was erased. */
export async function recipientOf(emailId: string, at: Date, session?: ClientSession): Promise<Recipient | null> {
  const email = (await findFacts([emailId], session)).get(emailId);
  if (!email || isErasedAddress(email.to)) return null;
  const { projectId, to } = email;
  const project = await getProject(projectId);
  const contactId = personId('ctc', project.idSalt, to);
  const [suppression, contact, topics] = [
    (await findSuppressions(projectId, project.idSalt, [to], session)).get(to),
    (await findContacts(projectId, [contactId], session)).get(contactId),
    await topicsOfContact(topicsContext(project, email), { address: to }, session),
  ];
  const preferences = {
    sender: senderName(project),
    brand: project.brand,
    locale: contact?.locale ?? null,
    address: maskedAddress(to),
    subscribed: suppression === undefined && contact?.subscribed !== false,
    maySubscribe: suppression !== undefined && isOwnAct(suppression) && !email.testMode,
    mayPause: contact !== undefined,
    pausedUntil: pauseOf(contact, at),
    topics: topics.filter(isShown),
  };
  return { email, project, contactId, preferences };
}

const pauseOf = (contact: Contact | undefined, at: Date): Date | null =>
  contact?.snoozedUntil && isPaused(contact, at) ? contact.snoozedUntil : null;

/** Resolves to the preferences of a message's recipient; null where `recipientOf` is. */
export const preferencesOf = async (emailId: string, at: Date): Promise<Preferences | null> =>
  (await recipientOf(emailId, at))?.preferences ?? null;

const OWN_WORDS: ReadonlySet<TopicSource> = new Set(['one_click', 'link', 'mailto', 'preferences', 'form', 'opt_in']);

/**
 * Returns whether a topic is shown. A private one is shown to people who are in it, and to those who left it by their own word: they may
 * come back.
 */
const isShown = ({ topic, subscribed, source }: TopicState): boolean =>
  topic.visibility === 'public' || subscribed || (source !== null && OWN_WORDS.has(source));

const END = 'pause';

/** Returns the state of each choice and since when it applies, by the topic's id and `pause`. */
function standing({ topics, pausedUntil }: Pick<Preferences, 'topics' | 'pausedUntil'>): ReadonlyMap<string, string> {
  const since = (at: Date | null): string => (at === null ? '' : at.getTime().toString(36));
  return new Map([
    ...topics.map(({ topic, subscribed, since: at }) => [topic._id, `${subscribed ? 1 : 0}${since(at)}`] as const),
    [END, since(pausedUntil)] as const,
  ]);
}

/** Returns the version of a page: the state of each choice separately, so that tabs that change different ones do not disturb each other. */
export const versionOf = (preferences: Pick<Preferences, 'topics' | 'pausedUntil'>): string =>
  [...standing(preferences)].map(([name, value]) => `${name}:${value}`).join(' ');

const ENTRY = /^([A-Za-z0-9_-]{1,64}):([a-z0-9]{0,16})$/;

/** The state from which the page of a form was drawn. */
export class Drawn {
  private constructor(private readonly stood: ReadonlyMap<string, string>) {}

  /** Reads a version; null for a text that is none. */
  static read(version: string): Drawn | null {
    const entries = version.split(' ').map((entry) => ENTRY.exec(entry));
    if (entries.some((entry) => entry === null)) return null;
    return new Drawn(new Map(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? ''])));
  }

  get topicIds(): readonly string[] {
    return [...this.stood.keys()].filter((name) => name !== END);
  }

  /** Returns whether the box of a topic was ticked; false for one that was not on the page. */
  wasTicked(topicId: string): boolean {
    return this.stood.get(topicId)?.startsWith('1') === true;
  }

  /** Returns whether a topic, or the pause, is as it was when the page was drawn. */
  stillStands(name: string, now: Pick<Preferences, 'topics' | 'pausedUntil'>): boolean {
    return standing(now).get(name) === this.stood.get(name);
  }

  pauseStillStands(now: Pick<Preferences, 'topics' | 'pausedUntil'>): boolean {
    return this.stillStands(END, now);
  }
}
