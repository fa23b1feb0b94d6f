import { Schema } from 'mongoose';
import type { ClientSession } from 'mongoose';
import { ARCHIVED_AT } from '../../platform/archive';
import type { Archivable } from '../../platform/archive';
import { model, rowSchema } from '../../platform/mongo';
import { SegmentGuardModel } from './member-model';

const SEGMENT_TYPES = ['dynamic', 'static'] as const;

export interface Segment extends Archivable {
  readonly name: string;
  readonly description: string | null;
  /** Static: contacts are put in and taken out; dynamic: the conditions say who is in it. */
  readonly type: (typeof SEGMENT_TYPES)[number];
  readonly conditions: Readonly<Record<string, unknown>> | null;
  /** The segments that the conditions ask about. */
  readonly segmentIds: readonly string[];
  /** Grows when the members have to be computed again; a computation stores nothing for another revision. */
  readonly revision: number;
  /** Its members are being computed after an edit: until that is done, no `segment.entered` or `segment.exited` is emitted. */
  readonly computing: boolean;
  /** When the computation last wrote something. */
  readonly filledAt: Date | null;
  /** When members and conditions are to be compared next; null on a static segment. */
  readonly sweepAt: Date | null;
  readonly memberCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const date = { type: Date, default: null };

const segmentSchema = rowSchema<Segment>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    name: { type: String, required: true },
    description: { type: String, default: null },
    type: { type: String, enum: SEGMENT_TYPES, required: true },
    conditions: { type: Schema.Types.Mixed, default: null },
    segmentIds: { type: [String], default: [] },
    revision: { type: Number, default: 0 },
    computing: { type: Boolean, default: false },
    filledAt: date,
    sweepAt: date,
    memberCount: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    archivedAt: ARCHIVED_AT,
  },
  { minimize: false },
);
segmentSchema.index({ projectId: 1, createdAt: -1, _id: -1, name: 1, type: 1, archivedAt: 1 }); // list a project's segments, newest first, where a search by name, type or archive reads no others; load those that follow its events
segmentSchema.index({ sweepAt: 1, _id: 1 }); // the sweep: segments that are due

export const SegmentModel = model<Segment>('Segment', segmentSchema, 'segments');

/**
 * Begins to judge contacts in a transaction. Of two transactions that judge a contact, or judge and delete it, at the same time, one is repeated: a
 * judgement that saw less than another one never comes after it.
 *
 * | at the same time                                     | without the guard                                | with it                          |
 * |------------------------------------------------------|--------------------------------------------------|----------------------------------|
 * | the sweep lets a contact enter, who has just changed | it enters after the change was judged, and stays | the sweep judges it again        |
 * | two runs of a pump judge a contact                   | both emit `segment.entered`                      | the second finds it in           |
 * | a contact is judged and deleted                      | a member without a contact                       | the second finds the other's end |
 */
export async function beginJudging(session: ClientSession, projectId: string, contactIds: readonly string[]): Promise<void> {
  if (contactIds.length === 0) return;
  const writes = contactIds.map((_id) => ({
    updateOne: { filter: { _id: _id, projectId }, update: { $inc: { judged: 1 } }, upsert: true },
  }));
  await SegmentGuardModel.collection.bulkWrite(writes, { session, ordered: false });
}

/** Forgets contacts that are deleted. */
export async function forgetGuards(projectId: string, contactIds: readonly string[]): Promise<void> {
  await SegmentGuardModel.collection.deleteMany({ _id: { $in: [...contactIds] }, projectId });
}
