import { Schema, model } from 'mongoose';

/** The token bucket of a project's sends, shared by all API processes. */
export interface RateBucket {
  /** The project. */
  readonly _id: string;
  readonly units: number;
  readonly at: Date;
}

const rateBucketSchema = new Schema<RateBucket>(
  { _id: { type: String, required: true }, units: { type: Number, required: true }, at: { type: Date, required: true } },
  { strict: 'throw', versionKey: false },
);
export const RateBucketModel = model<RateBucket>('RateBucket', rateBucketSchema, 'rate_buckets');

/** An answered request, written in the transaction that accepted its messages: there is no moment at which a retry could send twice. */
export interface IdempotencyRow {
  /** Hash of project, key kind, endpoint and the caller's key. */
  readonly _id: string;
  readonly fingerprint: string;
  /** JSON text of the answer's payload. */
  readonly answer: string;
  readonly createdAt: Date;
}

const KEPT_SECONDS = 24 * 3600;

const idempotencySchema = new Schema<IdempotencyRow>(
  {
    _id: { type: String, required: true },
    fingerprint: { type: String, required: true },
    answer: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // a key is free again after 24 hours
export const IdempotencyModel = model<IdempotencyRow>('Idempotency', idempotencySchema, 'idempotency');
