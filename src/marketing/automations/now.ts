import { batched } from '../../platform/async';
import type { ExecutionKey } from '../../contracts/automation';
import { inOneAnswer, perDatabase } from '../../platform/mongo';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { AutomationModel } from './model';
import type { Automation } from './model';

type Gate = Pick<Automation, '_id' | 'projectId' | 'name' | 'status' | 'graphId'>;

const asked = perDatabase(() =>
  batched<string, Gate>(async (ids) => {
    const rows = await AutomationModel.find({ _id: { $in: [...ids] } }, { projectId: 1, name: 1, status: 1, graphId: 1 }).lean<Gate[]>();
    return new Map(rows.map((row) => [row._id, row]));
  }),
);

/** Reads the current state of an automation, null when there is none; concurrent calls share a query. */
export async function automationNow(projectId: string, automationId: string): Promise<Gate | null> {
  const found = await asked()(automationId);
  return found?.projectId === projectId ? found : null;
}

const executions = perDatabase(() =>
  batched<string, Execution>(async (ids) => {
    const rows = await ExecutionModel.collection.find<Execution>({ _id: { $in: [...ids] } }, inOneAnswer(ids.length)).toArray();
    return new Map(rows.map((row) => [row._id, row]));
  }),
);

/** Reads an execution, null when there is none; concurrent calls share a query. */
export async function executionNow({ executionId, projectId }: ExecutionKey): Promise<Execution | null> {
  const found = await executions()(executionId);
  return found?.projectId === projectId ? found : null;
}
