import { batched } from '../batch';
import { AutomationModel } from './model';
import type { Automation } from './model';

type Gate = Pick<Automation, '_id' | 'projectId' | 'name' | 'status'>;

const asked = batched<string, Gate>(async (ids) => {
  const rows = await AutomationModel.find({ _id: { $in: [...ids] } }, { projectId: 1, name: 1, status: 1 }).lean<Gate[]>();
  return new Map(rows.map((row) => [row._id, row]));
});

/** An automation's name and status at this moment, null when there is none: one query answers all executions that ask together. */
export async function automationNow(projectId: string, automationId: string): Promise<Gate | null> {
  const found = await asked(automationId);
  return found?.projectId === projectId ? found : null;
}
