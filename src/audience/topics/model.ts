import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { MailTopic } from '../../rules/topics';

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

export const TopicModel = model<Topic>('Topic', topicSchema, 'topics');
