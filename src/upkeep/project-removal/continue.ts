import type { Core } from '../../platform/core';
import type { ProjectRemovalInput, ProjectRemovalProgress } from '../../contracts/removals';
import { forgetProject } from '../../records/projects';
import { ProjectRemovalModel } from './model';
import type { ProjectRemoval } from './model';
import { OF_PROJECT, hasChildren, removeFrom, stopCampaigns } from './registry';

/**
 * Grace period for writes that were in flight when the project was closed: requests, events, and mail that is being sent, which a slow
 * server may delay for ten minutes.
 */
const IN_FLIGHT_MS = 15 * 60_000;
const TURN_MS = 20_000;
const WAIT_MS = 15_000;

/**
 * Removes one batch of the data of a project, and says when there is more to do. A pass ends the project's workflows and goes
 * through all collections; the last one begins when everything that was under way has ended, and finds nothing. Then the project itself is
 * removed.
 *
 * | killed                             | found                                      | happens                                            |
 * |------------------------------------|--------------------------------------------|----------------------------------------------------|
 * | before the request's commit        | the project, untouched                     | the operator asks again                            |
 * | after it, no workflow              | the removal's document, the intent           | the sweep starts the workflow                      |
 * | in a page                          | some rows removed                          | the others are found, and only they                |
 * | after a page, before it is noted   | the rows removed, their number lower       | continues with the same collection                 |
 * | before the project itself is gone  | a project without rows                     | another check, which finds nothing; then it goes    |
 * | after it, before that is noted     | no project                                 | the same, and it is noted                          |
 */
export async function continueRemoval(
  core: Pick<Core, 'config' | 'processes'>,
  { projectId }: ProjectRemovalInput,
  now: Date,
  signal: AbortSignal,
): Promise<ProjectRemovalProgress> {
  const removal = await read(projectId);
  if (!removal || removal.status === 'completed') return progressOf(removal, 0);
  const deadline = performance.now() + TURN_MS;
  const isTimeUp = (): boolean => signal.aborted || performance.now() > deadline;
  const began = removal.pass.began ?? now;
  if (removal.pass.began === null) {
    await stopCampaigns(projectId);
    await note(projectId, 'workflows', await core.processes.endAllOf(projectId), { began, step: 0 });
  }
  const isQuiet = began.getTime() >= quietAt(removal);
  for (let { step } = removal.pass; step < OF_PROJECT.length; step++) {
    const collection = OF_PROJECT[step] as (typeof OF_PROJECT)[number];
    // While rows may still come that are found by these alone, these stay.
    for (let rows = isQuiet || !hasChildren(collection) ? 1 : 0; rows > 0;) {
      if (isTimeUp()) return progressOf(await read(projectId), 0);
      rows = await removeFrom(core, collection, projectId);
      await note(projectId, nameOf(step), rows, { began, step });
    }
  }
  return endPass(projectId, began, now);
}

const read = (projectId: string): Promise<ProjectRemoval | null> => ProjectRemovalModel.findById(projectId).lean<ProjectRemoval>();

const nameOf = (step: number): string => OF_PROJECT[step]?.[0] ?? 'workflows';

async function note(
  projectId: string,
  name: string,
  count: number,
  { began, step }: { readonly began: Date; readonly step: number },
): Promise<void> {
  await ProjectRemovalModel.updateOne(
    { _id: projectId },
    {
      $set: { status: 'running', 'pass.began': began, 'pass.step': step },
      ...(count > 0 && { $inc: { 'pass.found': count, [`removed.${name}`]: count } }),
    },
  );
}

async function endPass(projectId: string, began: Date, now: Date): Promise<ProjectRemovalProgress> {
  const removal = await read(projectId);
  if (!removal) return progressOf(null, 0);
  if (removal.pass.found === 0 && began.getTime() >= quietAt(removal)) {
    await forgetProject(projectId);
    await ProjectRemovalModel.updateOne({ _id: projectId }, { $set: { status: 'completed', finishedAt: now } });
    return progressOf(await read(projectId), 0);
  }
  await ProjectRemovalModel.updateOne({ _id: projectId }, { $set: { status: 'waiting', pass: { began: null, found: 0, step: 0 } } });
  return progressOf(await read(projectId), Math.max(quietAt(removal) - now.getTime(), WAIT_MS));
}

const quietAt = ({ requestedAt }: ProjectRemoval): number => requestedAt.getTime() + IN_FLIGHT_MS;

function progressOf(removal: ProjectRemoval | null, waitMs: number): ProjectRemovalProgress {
  if (!removal) return { status: 'completed', step: '', removed: 0, waitMs: 0 };
  const removed = Object.values(removal.removed).reduce((sum, rows) => sum + rows, 0);
  return { status: removal.status, step: nameOf(removal.pass.step), removed, waitMs };
}
