import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

const KEPT_DAYS = 90;

/** An erasure: a set of contacts that were deleted together, and its progress. */
export interface Erasure {
  readonly _id: string;
  readonly projectId: string;
  readonly contactIds: readonly string[];
  /** JSON text of their addresses, in the same order, encrypted; null once nothing else is left of them. */
  readonly addresses: string | null;
  /** When they were deleted, by the database's clock: what came later belongs to contacts made again. */
  readonly before: Date;
  readonly status: 'running' | 'waiting' | 'completed';
  /** Number of contacts that the pass has done, its start, and the number of rows that it found on their way. */
  readonly pass: { readonly done: number; readonly began: Date | null; readonly open: number };
  /** Number of rows that the previous pass found on their way. */
  readonly open: number;
  /** Number of waits for them. */
  readonly waits: number;
  /** Rows that were changed or deleted, by step. */
  readonly erased: Readonly<Record<string, number>>;
  readonly finishedAt: Date | null;
}

const count = { type: Number, default: 0 };

const erasureSchema = rowSchema<Erasure>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    contactIds: { type: [String], required: true },
    addresses: { type: String, default: null },
    before: { type: Date, required: true },
    status: { type: String, enum: ['running', 'waiting', 'completed'], required: true },
    pass: { type: Schema.Types.Mixed, required: true },
    open: count,
    waits: count,
    erased: { type: Schema.Types.Mixed, required: true },
    finishedAt: { type: Date, default: null },
  },
  { minimize: false },
);
erasureSchema.index({ projectId: 1, contactIds: 1, before: -1 }); // a contact's erasures, newest first
erasureSchema.index(
  { finishedAt: 1 },
  { expireAfterSeconds: KEPT_DAYS * 86_400, partialFilterExpression: { finishedAt: { $type: 'date' } } },
); // removes the record of an erasure

export const ErasureModel = model<Erasure>('Erasure', erasureSchema, 'erasures');
