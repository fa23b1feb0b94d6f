import { batched } from '../../platform/batch';
import type { ExecutionKey, WaitCause } from '../../contracts/automation';
import { inOneAnswer, ofProjects, perDatabase } from '../../platform/mongo';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { AutomationModel } from './model';
import type { Automation } from './model';
import { getProject } from '../../records/projects';

type Gate = Pick<Automation, '_id' | 'projectId' | 'name' | 'status' | 'graphId' | 'windows'>;

const asked = perDatabase(() =>
  batched<string, Gate>(async (ids) => {
    const rows = await AutomationModel.find({ _id: { $in: [...ids] } }, { projectId: 1, name: 1, status: 1, graphId: 1, windows: 1 }).lean<
      Gate[]
    >();
    return new Map(rows.map((row) => [row._id, row]));
  }),
);

/** Reads the current state of an automation, null when there is none; concurrent calls share a query. */
export async function automationNow(projectId: string, automationId: string): Promise<Gate | null> {
  const found = await asked()(automationId);
  return found?.projectId === projectId ? found : null;
}

const executions = perDatabase(() =>
  batched<ExecutionKey, Execution>(async (keys) => {
    const ids = [...new Set(keys.map(({ executionId }) => executionId))];
    const filter = { _id: { $in: ids }, projectId: ofProjects(keys) };
    const rows = await ExecutionModel.collection.find<Execution>(filter, { ...inOneAnswer(ids.length), hint: '_id_' }).toArray();
    const found = new Map(rows.map((row) => [row._id, row]));
    return new Map(
      keys.flatMap((key) => {
        const row = found.get(key.executionId);
        return row?.projectId === key.projectId ? [[key, row] as const] : [];
      }),
    );
  }),
);

/** Reads an execution, null when there is none; concurrent calls share a query. */
export const executionNow = async (key: ExecutionKey): Promise<Execution | null> => (await executions()(key)) ?? null;

/** Resolves to what holds executions back, or null. */
export async function closedBy({
  projectId,
  automationId,
}: Pick<Execution, 'projectId' | 'automationId'>): Promise<Extract<WaitCause, 'paused' | 'disabled'> | null> {
  const [automation, project] = await Promise.all([automationNow(projectId, automationId), getProject(projectId)]);
  if (automation?.status === 'paused') return 'paused';
  return project.disabledAt === null ? null : 'disabled';
}
