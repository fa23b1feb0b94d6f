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
