import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';
import type { Topic } from './model';

/** Resolves to the name of a thing in a room that uses a topic, or null. It is registered by the kind of that thing (“campaign”). */
export const topicUsers =
  hook<(session: ClientSession, projectId: string, topic: Pick<Topic, '_id' | 'key'>) => Promise<string | null>>('what names a topic');

/** Throws 409 `in_use` while something names the topic. */
export async function refuseWhileNamed(session: ClientSession, { _id, projectId, key }: Topic): Promise<void> {
  for (const [kind, ask] of topicUsers.named) {
    const name = await ask(session, projectId, { _id, key });
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” uses this topic`);
  }
}
