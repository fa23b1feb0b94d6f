import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { TopicChoice } from '../../rules/topics';

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
