import { model, rowSchema } from '../../platform/mongo';

const DECISIONS = ['release', 'mark-sent'] as const;
export type Decision = (typeof DECISIONS)[number];

/**
 * An operator's statement after a restore: mail accepted before an instant may have been sent already, in the time that is missing from the
 * database.
 */
export interface Fence {
  readonly _id: 'fence';
  /** The instant of the restored backup. */
  readonly instant: Date;
  /** Mail that was due by then may have been sent. */
  readonly raisedAt: Date;
  /** The decision about held mail; null until there is one. */
  readonly decision: Decision | null;
  readonly decidedAt: Date | null;
  /** Messages that were let go, or taken as sent. */
  readonly released: number;
  readonly marked: number;
}

const fenceSchema = rowSchema<Fence>({
  _id: { type: String, required: true },
  instant: { type: Date, required: true },
  raisedAt: { type: Date, required: true },
  decision: { type: String, enum: [...DECISIONS, null], default: null },
  decidedAt: { type: Date, default: null },
  released: { type: Number, default: 0 },
  marked: { type: Number, default: 0 },
});
export const FenceModel = model<Fence>('RestoreFence', fenceSchema, 'restore_fence');
