import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** Up to which of a project's messages, by when they were accepted, what they said is gone. */
export interface RetentionMark {
  /** The project. */
  readonly _id: string;
  readonly at: Date;
  readonly emailId: string;
}

const markSchema = new Schema<RetentionMark>(
  { _id: { type: String, required: true }, at: { type: Date, required: true }, emailId: { type: String, default: '' } },
  { strict: 'throw', versionKey: false },
);

export const RetentionMarkModel = model<RetentionMark>('RetentionMark', markSchema, 'retention_marks');
