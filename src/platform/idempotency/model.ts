import { model, rowSchema } from '../mongo';

/** An answered request, written in the transaction of what it brought about: there is no moment at which a retry could do it twice. */
export interface IdempotencyRow {
  /** Hash of project, key kind, endpoint and the caller's key. */
  readonly _id: string;
  readonly fingerprint: string;
  /** JSON text of the answer's payload, as `AnswerKey` seals it. */
  readonly answer: string;
  readonly createdAt: Date;
}

const KEPT_SECONDS = 24 * 3600;

const idempotencySchema = rowSchema<IdempotencyRow>({
  _id: { type: String, required: true },
  fingerprint: { type: String, required: true },
  answer: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // a key is free again after 24 hours
export const IdempotencyModel = model<IdempotencyRow>('Idempotency', idempotencySchema, 'idempotency');
