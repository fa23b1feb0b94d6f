import { listTopics } from '../../audience/topics';
import { newId } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import { getProject } from '../../records/projects';
import { topicName } from '../../rules/topics';
import type { OptIn } from './model';

/** Resolves to the context in which the platform acts for an opt-in. */
export async function contextOf(core: Core, { projectId, testMode }: Pick<OptIn, 'projectId' | 'testMode'>): Promise<Context> {
  const project = await getProject(projectId);
  return { core, projectId, project, testMode, keyKind: testMode ? 'test' : 'secret', requestId: newId('req') };
}

/** Resolves to the names of an opt-in's topics, in their order. */
export const namesOf = async (ctx: Context, { topics, locale }: Pick<OptIn, 'topics' | 'locale'>): Promise<readonly string[]> =>
  topics.length === 0 ? [] : (await listTopics(ctx)).filter(({ _id }) => topics.includes(_id)).map((topic) => topicName(topic, locale));
