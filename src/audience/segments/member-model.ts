import { model, rowSchema } from '../../platform/mongo';

/** Returns the range of `_id` that the members of a segment have; `;` follows `:`. */
export const idsOf = (segmentId: string): { readonly $gt: string; readonly $lt: string } => ({
  $gt: `${segmentId}:`,
  $lt: `${segmentId};`,
});

export const memberId = (segmentId: string, contactId: string): string => `${segmentId}:${contactId}`;

/** The membership of a contact in a segment. */
export interface SegmentMember {
  /** `<segmentId>:<contactId>`: once in each segment; the order of `_id` is that of the contacts' ids. */
  readonly _id: string;
  readonly projectId: string;
  readonly segmentId: string;
  readonly contactId: string;
  readonly enteredAt: Date;
  /** The contact's creation, which never changes: members are listed by it. */
  readonly contactCreatedAt: Date;
}

/** A contact that enters. */
export interface Entrant {
  readonly _id: string;
  readonly createdAt: Date;
}

const memberSchema = rowSchema<SegmentMember>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  segmentId: { type: String, required: true },
  contactId: { type: String, required: true },
  enteredAt: { type: Date, required: true },
  contactCreatedAt: { type: Date, required: true },
});
memberSchema.index({ projectId: 1, contactId: 1 }); // the segments of a contact, also of one that is deleted
memberSchema.index({ segmentId: 1, contactCreatedAt: -1, _id: -1 }); // list the members of a segment, newest contact first

export const SegmentMemberModel = model<SegmentMember>('SegmentMember', memberSchema, 'segment_members');

/** Returns what makes rows of contacts that enter a segment at an instant. */
export const memberRow =
  ({ projectId, segmentId }: Pick<SegmentMember, 'projectId' | 'segmentId'>, enteredAt: Date) =>
  ({ _id: contactId, createdAt }: Entrant): SegmentMember => ({
    _id: memberId(segmentId, contactId),
    projectId,
    segmentId,
    contactId,
    enteredAt,
    contactCreatedAt: createdAt,
  });

/** A row that every judgment of a contact writes, so that two concurrent ones conflict. */
interface SegmentGuard {
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
