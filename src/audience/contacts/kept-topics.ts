import type { ClientSession } from 'mongoose';
import { siblingId } from '../../platform/core';
import type { OfProjects } from '../../platform/mongo';
import type { TopicChoice, TopicChoices } from '../../rules/topics';
import type { Contact } from './model';
import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** The topics that an address without a contact has left. It holds no address: it is found by the keyed hash of it. */
export interface KeptTopics {
  /** `personId('top', project.idSalt, email)` */
  readonly _id: string;
  readonly projectId: string;
  readonly topicsOut: readonly TopicChoice[];
}

const keptSchema = rowSchema<KeptTopics>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  topicsOut: { type: [Schema.Types.Mixed], required: true } as never,
});
keptSchema.index({ projectId: 1 }); // removal of a project

export const KeptTopicsModel = model<KeptTopics>('KeptTopics', keptSchema, 'kept_topics');

/** Returns the id under which the topics of an address are kept that has no contact, of the id that its contact would have. */
export const keptId = (contactId: string): string => siblingId('top', contactId);

/** Resolves to the topics that people have left who become contacts in this transaction, by the contact's id; from then on the contact says it. */
export async function takeKeptTopics(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TopicChoice[]>> {
  const filter = { _id: { $in: contactIds.map(keptId) }, projectId };
  const kept = await KeptTopicsModel.collection.find<KeptTopics>(filter, { session }).toArray();
  if (kept.length > 0) await KeptTopicsModel.collection.deleteMany({ _id: { $in: kept.map(({ _id }) => _id) }, projectId }, { session });
  return new Map(kept.map(({ _id, topicsOut }) => [siblingId('ctc', _id), topicsOut]));
}

/** Resolves to the choices of those who are no contacts, by the id that their contact would have. */
export async function keptTopicsOf(
  projectId: string | OfProjects,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, TopicChoices>> {
  if (contactIds.length === 0) return new Map();
  const kept = await KeptTopicsModel.collection.find<KeptTopics>({ _id: { $in: contactIds.map(keptId) }, projectId }).toArray();
  return new Map(kept.map(({ _id, topicsOut }) => [siblingId('ctc', _id), { topicsOut }]));
}

/** Returns the member of a new contact that says which topics the person has left; none for who left none. */
export function leftBy(left: ReadonlyMap<string, readonly TopicChoice[]>, contactId: string): Pick<TopicChoices, 'topicsOut'> {
  const topicsOut = left.get(contactId);
  return topicsOut ? { topicsOut } : {};
}

/** Keeps, in the transaction that removes contacts, which topics they have left: they come back as they went. */
export async function keepTopics(session: ClientSession, projectId: string, removed: readonly Contact[]): Promise<void> {
  const rows = removed.flatMap(({ _id, topicsOut = [] }): KeptTopics[] =>
    topicsOut.length > 0 ? [{ _id: keptId(_id), projectId, topicsOut: topicsOut.map(withoutMessage) }] : [],
  );
  if (rows.length > 0) await KeptTopicsModel.collection.insertMany(rows, { session });
}

const withoutMessage = ({ topicId, since, source }: TopicChoice): TopicChoice => ({ topicId, since, source });
