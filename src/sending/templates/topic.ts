import type { ClientSession } from 'mongoose';
import { TemplateModel } from './model';
import type { Template } from './model';

/** Names a template of a topic; null when there is none. */
export async function templateOfTopic(session: ClientSession, projectId: string, topic: { readonly _id: string }): Promise<string | null> {
  const row = await TemplateModel.findOne({ projectId, topicId: topic._id }, { name: 1 }, { session }).lean<Pick<Template, 'name'>>();
  return row?.name ?? null;
}
