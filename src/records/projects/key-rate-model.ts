import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Units that an API process has taken out of a bucket and may spend until then. */
interface HeldUnits {
  readonly owner: string;
  readonly units: number;
  readonly until: Date;
}

/** The token bucket of a key for all requests but sends (docs/errors.md, Rate limit). */
export interface KeyRate {
  /** Hash of the key. */
  readonly _id: string;
  readonly units: number;
  /** Up to when units were regained, by the database's clock. */
  readonly at: Date;
  readonly held: readonly HeldUnits[];
  /** From then on the bucket is full. */
  readonly fullAt: Date;
}

const keyRateSchema = rowSchema<KeyRate>({
  _id: { type: String, required: true },
  units: { type: Number, required: true },
  at: { type: Date, required: true },
  held: [
    new Schema<HeldUnits>(
      {
        owner: { type: String, required: true },
        units: { type: Number, required: true },
        until: { type: Date, required: true },
      },
      { _id: false },
    ),
  ],
  fullAt: { type: Date, required: true },
});
keyRateSchema.index({ fullAt: 1 }, { expireAfterSeconds: 60 }); // a bucket that is not there is full

export const KeyRateModel = model<KeyRate>('KeyRate', keyRateSchema, 'key_rates');
