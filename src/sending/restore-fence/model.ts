import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

const DECISIONS = ['release', 'mark-sent'] as const;
export type Decision = (typeof DECISIONS)[number];

/** What an operator said after a restore: what was accepted before an instant may have been sent already, in the time that the database knows nothing of. */
export interface Fence {
  readonly _id: 'fence';
  /** That of the restored backup. */
  readonly instant: Date;
  /** What was due by then may have been sent. */
  readonly raisedAt: Date;
  /** What becomes of what is held; null while that is undecided. */
  readonly decision: Decision | null;
  readonly decidedAt: Date | null;
  /** Messages that were let go, or taken as sent. */
  readonly released: number;
  readonly marked: number;
}

const fenceSchema = new Schema<Fence>(
  {
    _id: { type: String, required: true },
    instant: { type: Date, required: true },
    raisedAt: { type: Date, required: true },
    decision: { type: String, enum: [...DECISIONS, null], default: null },
    decidedAt: { type: Date, default: null },
    released: { type: Number, default: 0 },
    marked: { type: Number, default: 0 },
  },
  { strict: 'throw', versionKey: false },
);
export const FenceModel = model<Fence>('RestoreFence', fenceSchema, 'restore_fence');
