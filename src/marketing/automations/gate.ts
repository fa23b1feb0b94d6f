import type { WaitCause } from '../../contracts/automation';
import { getProject } from '../../records/projects';
import type { Execution } from './execution-model';
import { automationNow } from './now';

/** What executions may not pass, where there is something. */
export async function closedBy({
  projectId,
  automationId,
}: Pick<Execution, 'projectId' | 'automationId'>): Promise<Extract<WaitCause, 'paused' | 'disabled'> | null> {
  const [automation, project] = await Promise.all([automationNow(projectId, automationId), getProject(projectId)]);
  if (automation?.status === 'paused') return 'paused';
  return project.disabledAt === null ? null : 'disabled';
}
