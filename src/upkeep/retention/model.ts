import { model, rowSchema } from '../../platform/mongo';

/** The progress of retention in a project: the content of its messages that were accepted up to an instant is gone. */
export interface RetentionMark {
  /** The project. */
  readonly _id: string;
  readonly at: Date;
  readonly emailId: string;
  /** Nothing of the project was old: until then it is left alone, unless its `ages` change. */
  readonly restsUntil?: Date;
  /** The days for which rows and contents are kept. */
  readonly ages?: string;
}

const markSchema = rowSchema<RetentionMark>({
  _id: { type: String, required: true },
  at: { type: Date, required: true },
  emailId: { type: String, default: '' },
  restsUntil: { type: Date },
  ages: { type: String },
});

export const RetentionMarkModel = model<RetentionMark>('RetentionMark', markSchema, 'retention_marks');
