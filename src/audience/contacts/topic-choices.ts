import type { ClientSession } from 'mongoose';
import type { TopicChoices } from '../../rules/topics';
import { keptId, KeptTopicsModel } from './kept-topics';
import type { KeptTopics } from './kept-topics';
import { ContactModel } from './model';
import { reserveId } from './service';

interface Person {
  readonly projectId: string;
  /** The id that the person's contact has, or would have. */
  readonly contactId: string;
}

/** A person's choices, and whether the person is a contact. */
export interface ChoicesOfPerson {
  readonly isContact: boolean;
  readonly choices: TopicChoices;
}

/** Resolves to what a person chose: a contact, or someone who is none and whose opt-outs are kept by address. */
export async function topicChoicesOf({ projectId, contactId }: Person, session?: ClientSession): Promise<ChoicesOfPerson> {
  const options = session ? { session } : {};
  const filter = { _id: contactId, projectId };
  const contact = await ContactModel.collection.findOne<TopicChoices>(filter, { ...options, projection: { topicsIn: 1, topicsOut: 1 } });
  if (contact) return { isContact: true, choices: contact };
  const kept = await KeptTopicsModel.collection.findOne<KeptTopics>({ _id: keptId(contactId), projectId }, options);
  return { isContact: false, choices: kept ? { topicsOut: kept.topicsOut } : {} };
}

/** Stores choices in the transaction that read them. Of someone who is no contact, only what was left is kept. */
export async function writeTopicChoices(
  session: ClientSession,
  { projectId, contactId }: Person,
  { isContact, choices }: ChoicesOfPerson,
  at: Date,
): Promise<void> {
  if (isContact) return writeChoicesOfContacts(session, projectId, new Map([[contactId, choices]]), at);
  const { topicsOut = [] } = choices;
  await reserveId(session, projectId, contactId);
  const _id = keptId(contactId);
  if (topicsOut.length === 0) await KeptTopicsModel.collection.deleteOne({ _id, projectId }, { session });
  else await KeptTopicsModel.collection.replaceOne({ _id, projectId }, { projectId, topicsOut }, { session, upsert: true });
}

/** Stores the choices of contacts, by id, in the transaction that read them. */
export async function writeChoicesOfContacts(
  session: ClientSession,
  projectId: string,
  written: ReadonlyMap<string, TopicChoices>,
  at: Date,
): Promise<void> {
  if (written.size === 0) return;
  const writes = [...written].map(([_id, { topicsIn = [], topicsOut = [] }]) => {
    const lists = Object.entries({ topicsIn, topicsOut });
    const some = Object.fromEntries(lists.filter(([, list]) => list.length > 0));
    const none = Object.fromEntries(lists.filter(([, list]) => list.length === 0).map(([name]) => [name, '' as const]));
    return { updateOne: { filter: { _id, projectId }, update: { $set: { ...some, updatedAt: at }, $unset: none }, hint: '_id_' } };
  });
  await ContactModel.collection.bulkWrite(writes, { session, ordered: false });
}
