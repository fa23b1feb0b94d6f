import type { WaitCause } from '../../contracts/automation';
import { getProject } from '../../records/projects';
import type { Execution } from './execution-model';
import { automationNow } from './now';

/** Resolves to what holds executions back, or null. */
export async function closedBy({
  projectId,
  automationId,
}: Pick<Execution, 'projectId' | 'automationId'>): Promise<Extract<WaitCause, 'paused' | 'disabled'> | null> {
  const [automation, project] = await Promise.all([automationNow(projectId, automationId), getProject(projectId)]);
  if (automation?.status === 'paused') return 'paused';
  return project.disabledAt === null ? null : 'disabled';
}
