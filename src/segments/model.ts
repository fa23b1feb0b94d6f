import { Schema, model } from 'mongoose';

const SEGMENT_TYPES = ['dynamic', 'static'] as const;

export interface Segment {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  /** Static: contacts are put in and taken out; dynamic: the conditions say who is in it. */
  readonly type: (typeof SEGMENT_TYPES)[number];
  readonly conditions: Readonly<Record<string, unknown>> | null;
  readonly memberCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const segmentSchema = new Schema<Segment>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    name: { type: String, required: true },
    description: { type: String, default: null },
    type: { type: String, enum: SEGMENT_TYPES, required: true },
    conditions: { type: Schema.Types.Mixed, default: null },
    memberCount: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
segmentSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's segments, newest first

export const SegmentModel = model<Segment>('Segment', segmentSchema, 'segments');
