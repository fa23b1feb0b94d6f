import { model, rowSchema } from '../mongo';

/** A workflow that is wanted, or a signal, and perhaps not given yet; written with the documents that need it. */
export interface OutboxRow {
  /** The workflow's id; of a signal, and of one intent among several, with the id of its cause. Of what many want, with the name of the process. */
  readonly _id: string;
  /** JSON text of the intent. */
  readonly intent: string;
  readonly createdAt: Date;
}

const outboxSchema = rowSchema<OutboxRow>({
  _id: { type: String, required: true },
  intent: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
outboxSchema.index({ createdAt: 1 }); // the sweep: the oldest intents first
export const OutboxModel = model<OutboxRow>('Outbox', outboxSchema, 'outbox');
