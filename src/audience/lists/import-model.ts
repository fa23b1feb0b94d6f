import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { Column } from './import-columns';

const IMPORT_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;

const DAY_SECONDS = 86_400;
const JOB_DAYS = 30;
/** Longer than any outage that an import should outlive. */
const FILE_DAYS = 7;

export interface RowError {
  /** The first data row is 1. */
  readonly row: number;
  readonly email: string | null;
  readonly message: string;
}

/** Number of rows by outcome; together they are the processed rows. */
export interface RowCounts {
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

/** Position at which an import continues: everything before it is done. */
export interface ImportPosition {
  /** Offset of a row's first byte. */
  readonly offset: number;
  /** Number of rows before it. */
  readonly row: number;
}

export interface ContactImport extends RowCounts {
  readonly _id: string;
  readonly projectId: string;
  readonly status: (typeof IMPORT_STATUSES)[number];
  readonly segmentId: string | null;
  /** Whether the events of the import may enroll contacts in automations. */
  readonly enrols: boolean;
  readonly testMode: boolean;
  readonly delimiter: string;
  /** Headers as in the file. */
  readonly headers: readonly string[];
  /** Meaning of each header. */
  readonly columns: readonly Column[];
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** The current attempt: each one writes it, so that an attempt that was considered lost changes nothing more. */
  readonly runner: string | null;
  /** Everything before it has been applied and counted. */
  readonly position: ImportPosition;
  readonly totalRows: number | null;
  /** The first 100. */
  readonly errors: readonly RowError[];
  readonly error: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  /** When it last came further; absent before it began. */
  readonly movedAt?: Date;
  readonly finishedAt: Date | null;
}

const counter = { type: Number, default: 0 };

const importSchema = rowSchema<ContactImport>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    status: { type: String, enum: IMPORT_STATUSES, required: true },
    segmentId: { type: String, default: null },
    enrols: { type: Boolean, required: true },
    testMode: { type: Boolean, required: true },
    delimiter: { type: String, required: true },
    headers: { type: [String], required: true },
    columns: { type: [String], required: true },
    bytes: { type: Number, required: true },
    runner: { type: String, default: null },
    position: { type: Schema.Types.Mixed, required: true },
    totalRows: { type: Number, default: null },
    created: counter,
    updated: counter,
    skipped: counter,
    failed: counter,
    errors: { type: [Schema.Types.Mixed], default: [] },
    error: { type: String, default: null },
    createdAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    movedAt: { type: Date },
    finishedAt: { type: Date, default: null },
  },
  { suppressReservedKeysWarning: true },
);
importSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's imports, newest first
importSchema.index({ movedAt: 1 }, { partialFilterExpression: { status: 'processing' } }); // the import that has made no progress for the longest time
importSchema.index({ createdAt: 1 }, { expireAfterSeconds: JOB_DAYS * DAY_SECONDS }); // forgets old jobs

export const ContactImportModel = model<ContactImport>('ContactImport', importSchema, 'contact_imports');

/**
 * A piece of a file that is being imported, or the set of its rows that are superseded. Pieces are written before there is a job: what an upload that
 * broke off leaves is never read and is removed by its age.
 */
export interface ImportPiece {
  /** `<importId>:<number of the piece, six digits>`, or `<importId>:superseded`. */
  readonly _id: string;
  readonly content: Buffer;
  readonly createdAt: Date;
}

const pieceSchema = rowSchema<ImportPiece>({
  _id: { type: String, required: true },
  content: { type: Buffer, required: true },
  createdAt: { type: Date, required: true },
});
pieceSchema.index({ createdAt: 1 }, { expireAfterSeconds: FILE_DAYS * DAY_SECONDS }); // sweeps what uploads that broke off left

export const ImportPieceModel = model<ImportPiece>('ImportPiece', pieceSchema, 'contact_import_pieces');
