import { model, rowSchema } from '../../platform/mongo';

/** The token bucket of a project's sends, shared by all API processes. */
export interface RateBucket {
  /** The project. */
  readonly _id: string;
  readonly units: number;
  readonly at: Date;
  /** Units that the last write drew. */
  readonly drawn: number;
}

const rateBucketSchema = rowSchema<RateBucket>({
  _id: { type: String, required: true },
  units: { type: Number, required: true },
  at: { type: Date, required: true },
  drawn: { type: Number, required: true },
});
export const RateBucketModel = model<RateBucket>('RateBucket', rateBucketSchema, 'rate_buckets');
