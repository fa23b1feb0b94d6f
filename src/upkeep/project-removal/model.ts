import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

const KEPT_DAYS = 90;

/** A project that is removed with everything. */
export interface ProjectRemoval {
  /** The project. */
  readonly _id: string;
  readonly status: 'running' | 'waiting' | 'completed';
  /** Instant of the request, by the database's clock: work that was under way then may still write for a moment. */
  readonly requestedAt: Date;
  /** When the pass through all steps began, and how much it has found. */
  readonly pass: { readonly began: Date | null; readonly found: number; readonly step: number };
  /** Rows that were removed, by collection. */
  readonly removed: Readonly<Record<string, number>>;
  readonly finishedAt: Date | null;
}

const removalSchema = rowSchema<ProjectRemoval>(
  {
    _id: { type: String, required: true },
    status: { type: String, enum: ['running', 'waiting', 'completed'], required: true },
    requestedAt: { type: Date, required: true },
    pass: { type: Schema.Types.Mixed, required: true },
    removed: { type: Schema.Types.Mixed, required: true },
    finishedAt: { type: Date, default: null },
  },
  { minimize: false },
);
removalSchema.index(
  { finishedAt: 1 },
  { expireAfterSeconds: KEPT_DAYS * 86_400, partialFilterExpression: { finishedAt: { $type: 'date' } } },
); // removes the record of a removal

export const ProjectRemovalModel = model<ProjectRemoval>('ProjectRemoval', removalSchema, 'project_removals');
