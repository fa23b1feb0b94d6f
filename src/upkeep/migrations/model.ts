import { Schema } from 'mongoose';
import { leaseMember, presenceModel } from '../../platform/leases';
import type { LeaseHolder, PresentRow } from '../../platform/leases';
import { model, rowSchema } from '../../platform/mongo';

/** The progress of the step that is under way. */
interface StepProgress {
  readonly step: string;
  /** Position at which it continues; null at its beginning. */
  readonly at: string | null;
  readonly rows: number;
}

/** The state of the database: one row. */
export interface SchemaRow {
  readonly _id: string;
  /** The last version that is expanded: everything that its processes need exists. */
  readonly version: number;
  /** The oldest version whose processes may run. */
  readonly oldest: number;
  /** The last version that is contracted: what only processes before it needed is gone. */
  readonly contracted: number;
  /** Indexes that were made, as `declaredIndexes` has them. */
  readonly indexes: readonly string[];
  /** The process that migrates now. */
  readonly lease?: LeaseHolder;
  readonly progress?: StepProgress;
}

const schemaSchema = rowSchema<SchemaRow>({
  _id: { type: String, required: true },
  version: { type: Number, required: true },
  oldest: { type: Number, required: true },
  contracted: { type: Number, required: true },
  indexes: { type: [String], required: true },
  lease: leaseMember(),
  progress: { type: new Schema({ step: String, at: String, rows: Number }, { _id: false }) },
});

export const SchemaModel = model<SchemaRow>('Schema', schemaSchema, 'schema');

/** A process of the platform that runs. */
export interface PartRow extends PresentRow {
  /** api, worker or smtp. */
  readonly part: string;
  readonly release: string;
  /** The version of the schema that it knows. */
  readonly schemaVersion: number;
  /** Task queues that a worker polls at this moment. A worker of a release without this member polls those that it was started for. */
  readonly queues?: readonly string[];
}

export const PartModel = presenceModel<PartRow>(
  'Part',
  {
    part: { type: String, required: true },
    release: { type: String, required: true },
    schemaVersion: { type: Number, required: true },
    queues: { type: [String], default: undefined },
  },
  'parts',
);
