import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** When an event was last emitted for one kind of hit on one message (and link). */
export interface HitMark {
  readonly _id: string;
  readonly at: Date;
}

/** Longer than the minute that a mark counts, whenever the database gets round to removing it. */
const KEPT_SECONDS = 120;

const hitMarkSchema = new Schema<HitMark>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { strict: 'throw', versionKey: false },
);
hitMarkSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // removal of marks that no longer count

export const HitMarkModel = model<HitMark>('HitMark', hitMarkSchema, 'hit_marks');
