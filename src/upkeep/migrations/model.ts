import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';

/** The process that migrates now. */
interface MigrationLease {
  readonly holder: string;
  /** For people: the machine and the process. */
  readonly by: string;
  /** End of the lease, by the database's clock. */
  readonly until: Date;
}

/** Progress of the current step. */
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
  readonly lease?: MigrationLease;
  readonly progress?: StepProgress;
}

const schemaSchema = new Schema<SchemaRow>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    oldest: { type: Number, required: true },
    contracted: { type: Number, required: true },
    indexes: { type: [String], required: true },
    lease: { type: new Schema({ holder: String, by: String, until: Date }, { _id: false }) },
    progress: { type: new Schema({ step: String, at: String, rows: Number }, { _id: false }) },
  },
  { strict: 'throw', versionKey: false },
);

export const SchemaModel = model<SchemaRow>('Schema', schemaSchema, 'schema');

/** A process of the platform that runs. */
export interface PartRow {
  readonly _id: string;
  /** api, worker or smtp. */
  readonly part: string;
  readonly host: string;
  readonly pid: number;
  readonly release: string;
  /** The version of the schema that it knows. */
  readonly schemaVersion: number;
  readonly startedAt: Date;
  readonly leaseUntil: Date;
  /**
   * The task queues that a worker polls at this moment. A worker of a release before this member polls the queues that it was started for.
   */
  readonly queues?: readonly string[];
}

const partSchema = new Schema<PartRow>(
  {
    _id: { type: String, required: true },
    part: { type: String, required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    release: { type: String, required: true },
    schemaVersion: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
    queues: { type: [String], default: undefined },
  },
  { strict: 'throw', versionKey: false },
);
partSchema.index({ leaseUntil: 1 }, { expireAfterSeconds: 24 * 3600 }); // forget processes that are long gone

export const PartModel = model<PartRow>('Part', partSchema, 'parts');
