import { model, rowSchema } from '../../platform/mongo';

/** A row that every judgment of a contact writes, so that two concurrent ones conflict. */
export interface SegmentGuard {
  /** The contact. */
  readonly _id: string;
  readonly projectId: string;
  readonly judged: number;
}

const guardSchema = rowSchema<SegmentGuard>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  judged: { type: Number, default: 0 },
});
export const SegmentGuardModel = model<SegmentGuard>('SegmentGuard', guardSchema, 'segment_guards');

/** The effect of a transaction on the number of a segment's members that is not in its `memberCount` yet. */
export interface CountChange {
  readonly _id: string;
  readonly projectId: string;
  readonly segmentId: string;
  readonly by: number;
}

const countSchema = rowSchema<CountChange>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  segmentId: { type: String, required: true },
  by: { type: Number, required: true },
});
countSchema.index({ segmentId: 1, _id: 1 }); // the changes of a segment, oldest first; which segments have any
export const CountChangeModel = model<CountChange>('SegmentCountChange', countSchema, 'segment_count_changes');

/** A deleted segment whose members are still to be removed. */
export interface SegmentRemoval {
  /** The segment. */
  readonly _id: string;
  readonly projectId: string;
  readonly at: Date;
}

const removalSchema = rowSchema<SegmentRemoval>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  at: { type: Date, required: true },
});
removalSchema.index({ at: 1, _id: 1 }); // the sweep: the oldest first
export const SegmentRemovalModel = model<SegmentRemoval>('SegmentRemoval', removalSchema, 'segment_removals');
