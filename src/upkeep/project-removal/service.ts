import type { ClientSession } from 'mongoose';
import { projectRemovalId } from '../../contracts/removals';
import type { StartIntent } from '../../contracts/processes';
import { invalidState, notFound } from '../../platform/core';
import { databaseNow, inTransaction, model, rowSchema } from '../../platform/mongo';
import { want } from '../../platform/outbox';
import { hasLiveSubscription } from '../../records/payments';
import { closeProject } from '../../records/projects';
import { Schema } from 'mongoose';

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

const find = (projectId: string, session?: ClientSession): Promise<ProjectRemoval | null> =>
  ProjectRemovalModel.findById(projectId, null, session ? { session } : {}).lean<ProjectRemoval>();

/**
 * Begins to remove a project with everything: from the commit on its keys are refused and it sends nothing. An earlier removal continues
 * unchanged. Resolves to its progress. Throws `not_found`, and `invalid_state` while a paid subscription runs.
 */
export async function beginRemoval(projectId: string): Promise<ProjectRemoval> {
  const requestedAt = await databaseNow();
  return inTransaction(async (session) => {
    const known = await find(projectId, session);
    if (known) return known;
    if (await hasLiveSubscription(projectId)) throw invalidState('The project has an active paid subscription: cancel it first');
    await closeProject(projectId, requestedAt, session);
    const removal: ProjectRemoval = {
      _id: projectId,
      status: 'running',
      requestedAt,
      pass: { began: null, found: 0, step: 0 },
      removed: {},
      finishedAt: null,
    };
    await ProjectRemovalModel.collection.insertOne(removal, { session });
    await want(session, [intentOf(projectId)]);
    return removal;
  });
}

/** Returns the workflow that carries the removal out. */
const intentOf = (projectId: string): StartIntent => ({
  kind: 'start',
  workflow: 'projectRemoval',
  workflowId: projectRemovalId(projectId),
  input: { projectId },
  summary: 'Removal of a project with everything',
  attributes: { projectId },
  lasts: true,
});

/** Resolves to how far the removal of a project is. Throws `not_found`. */
export async function readRemoval(projectId: string): Promise<ProjectRemoval> {
  const removal = await find(projectId);
  if (!removal) throw notFound('Removal');
  return removal;
}

/** Resolves to whether the removal has nothing left to do. */
export const isRemovalOver = async ({ projectId }: { readonly projectId: string }): Promise<boolean> => {
  const removal = await find(projectId);
  return removal === null || removal.status === 'completed';
};
