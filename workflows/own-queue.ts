import { makeContinueAsNewFunc, patched, workflowInfo } from '@temporalio/workflow';
import type { Workflow } from '@temporalio/workflow';
import type { TaskQueue } from '../src/contracts/task-queues';

const PUMPS: TaskQueue = 'pumps';

/** Moves a pump that runs on another task queue to the pumps' own: a new run begins there with the same arguments. `patch` names the change to the pump. */
export async function toOwnQueue<T extends Workflow>(patch: string, ...args: Parameters<T>): Promise<void> {
  if (workflowInfo().taskQueue !== PUMPS && patched(patch)) await makeContinueAsNewFunc<T>({ taskQueue: PUMPS })(...args);
}
