import type { ClientSession } from 'mongoose';
import { projectRemovalId } from '../../contracts/removals';
import type { StartIntent } from '../../contracts/processes';
import { invalidState, notFound } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { want } from '../../platform/outbox';
import { hasLiveSubscription } from '../../records/payments';
import { closeProject } from '../../records/projects';
import { ProjectRemovalModel } from './model';
import type { ProjectRemoval } from './model';

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
