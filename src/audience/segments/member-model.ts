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
