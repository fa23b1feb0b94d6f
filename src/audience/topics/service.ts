import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { conflict, invalid, limitOf, newId, notFound, AppError } from '../../platform/core';
import { lockReferences, requireRoom, withReferenceLock } from '../../records/events';
import { topicRefs } from '../../rules/conditions/inventory';
import type { Tree } from '../../rules/conditions/types';
import type { MailTopic } from '../../rules/topics';
import { hook } from '../../platform/hooks';
import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** A kind of marketing mail that people choose or leave. Its key and its default never change: a change would subscribe or unsubscribe people who did not ask for it. */
export interface Topic extends Pick<MailTopic, 'defaultSubscription'> {
  readonly _id: string;
  readonly projectId: string;
  readonly key: string;
  readonly name: string;
  /** Its name by language (BCP 47). */
  readonly names: Readonly<Record<string, string>>;
  readonly description: string | null;
  /** Public pages show a private topic only to people who are in it. */
  readonly visibility: 'public' | 'private';
  readonly order: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const topicSchema = rowSchema<Topic>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    key: { type: String, required: true },
    name: { type: String, required: true },
    names: { type: Schema.Types.Mixed, required: true },
    description: { type: String, default: null },
    defaultSubscription: { type: String, enum: ['in', 'out'], required: true },
    visibility: { type: String, enum: ['public', 'private'], required: true },
    order: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
topicSchema.index({ projectId: 1, key: 1 }, { unique: true }); // one topic of a key; conditions and columns that name it
topicSchema.index({ projectId: 1, order: 1, createdAt: 1, _id: 1 }); // a project's topics in their order

const TopicModel = model<Topic>('Topic', topicSchema, 'topics');

interface NewTopic extends Pick<Topic, 'key' | 'name' | 'defaultSubscription' | 'visibility'> {
  readonly names?: Topic['names'] | undefined;
  readonly description?: string | null | undefined;
  readonly order?: number | undefined;
}

type Changeable = Pick<Topic, 'name' | 'names' | 'description' | 'visibility' | 'order'>;
type TopicPatch = { readonly [K in keyof Changeable]?: Changeable[K] | undefined };

/** Stores a topic. Throws `conflict` if the project has one with that key, and `limit_exceeded`. */
export function createTopic(ctx: Context, { names = {}, description = null, order = 0, ...given }: NewTopic): Promise<Topic> {
  const { core, projectId } = ctx;
  return withReferenceLock(projectId, async (session) => {
    await requireRoom(session, projectId, { what: 'topics', most: limitOf(core.config, ctx.project, 'topics'), of: TopicModel });
    if (await TopicModel.exists({ projectId, key: given.key }).session(session)) throw conflict(`A topic “${given.key}” already exists`);
    const now = new Date();
    const topic: Topic = {
      _id: newId('tpc', now.getTime()),
      projectId,
      ...given,
      names,
      description,
      order,
      createdAt: now,
      updatedAt: now,
    };
    await TopicModel.create([topic], { session });
    return topic;
  });
}

/** Resolves to a project's topics, in the order in which people see them: by `order`, then by age. */
export const listTopics = ({ projectId }: Pick<Context, 'projectId'>, session?: ClientSession): Promise<Topic[]> =>
  TopicModel.find({ projectId }, null, session ? { session } : {})
    .sort({ order: 1, createdAt: 1, _id: 1 })
    .lean<Topic[]>();

/** Resolves to a topic of a project; null if it has none with that id. */
export const readTopic = (projectId: string, topicId: string, session?: ClientSession): Promise<Topic | null> =>
  TopicModel.findOne({ _id: topicId, projectId }, null, session ? { session } : {}).lean<Topic>();

/** Finds the topics that exist among these ids, with the members that decide whether a message is sent. */
export async function findMailTopics(projectId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, MailTopic>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const found = await TopicModel.find({ _id: { $in: wanted }, projectId }, { defaultSubscription: 1 }).lean<
    Pick<Topic, '_id' | 'defaultSubscription'>[]
  >();
  return new Map(found.map(({ _id: topicId, defaultSubscription }) => [topicId, { topicId, defaultSubscription }]));
}

/** Resolves to the topics that condition trees ask about, by key; asks nothing where they ask about none. */
export async function topicsAsked(projectId: string, ...trees: readonly Tree[]): Promise<ReadonlyMap<string, MailTopic>> {
  const keys = topicRefs(...trees);
  if (keys.length === 0) return new Map();
  const found = await TopicModel.find({ projectId, key: { $in: [...keys] } }, { key: 1, defaultSubscription: 1 }).lean<Topic[]>();
  return new Map(found.map(({ _id: topicId, key, defaultSubscription }) => [key, { topicId, defaultSubscription }]));
}

/** Throws 422 `not_found` at `topicId` for a topic that the project does not have, in the transaction that stores a reference to it. */
export async function requireTopic(session: ClientSession, projectId: string, topicId: string): Promise<void> {
  if (!(await readTopic(projectId, topicId, session))) throw invalid('topicId', 'not_found', 'Topic not found');
}

/** Resolves to a topic. Throws `not_found`. */
export async function getTopic({ projectId }: Context, id: string): Promise<Topic> {
  const topic = await readTopic(projectId, id);
  if (!topic) throw notFound('Topic');
  return topic;
}

/** Changes what is given and keeps the rest. Throws `not_found`. */
export async function patchTopic(ctx: Context, id: string, patch: TopicPatch): Promise<Topic> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return getTopic(ctx, id);
  const topic = await TopicModel.findOneAndUpdate(
    { _id: id, projectId: ctx.projectId },
    { $set: { ...given, updatedAt: new Date() } },
    { returnDocument: 'after' },
  ).lean<Topic>();
  if (!topic) throw notFound('Topic');
  return topic;
}

/** Removes a topic. Throws `not_found`, and `in_use` while something names it. */
export function deleteTopic({ projectId }: Context, id: string): Promise<void> {
  return withReferenceLock(projectId, async (session) => {
    const topic = await readTopic(projectId, id, session);
    if (!topic) throw notFound('Topic');
    await lockReferences(session, projectId);
    await refuseWhileNamed(session, topic);
    await TopicModel.deleteOne({ _id: id, projectId }, { session });
  });
}

/** Resolves to the name of a thing in a room that uses a topic, or null. It is registered by the kind of that thing (“campaign”). */
export const topicUsers =
  hook<(session: ClientSession, projectId: string, topic: Pick<Topic, '_id' | 'key'>) => Promise<string | null>>('what names a topic');

/** Throws 409 `in_use` while something names the topic. */
async function refuseWhileNamed(session: ClientSession, { _id, projectId, key }: Topic): Promise<void> {
  for (const [kind, ask] of topicUsers.named) {
    const name = await ask(session, projectId, { _id, key });
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” uses this topic`);
  }
}
