import type { StartIntent } from '../../contracts/processes';
import { isWorthNoting } from '../../contracts/due';
import type { Core } from '../../platform/core';
import { start } from '../../rules/automation/interpreter';
import { calleeOf } from './callee';
import type { Execution } from './execution-model';
import { loadGraph } from './graphs';
import { runIntent } from './intents';

/**
 * Makes the intent to start an execution that has just been enrolled. One that comes first to a server which has all calls that it may have, of this process,
 * begins when its turn comes: of a crowd before a slow server, each would carry out a step only to find that.
 */
export async function beginningOf({ calls }: Pick<Core, 'calls'>, execution: Execution): Promise<StartIntent> {
  const intent = runIntent(execution);
  const graph = await loadGraph(execution.projectId, execution.graphId);
  const { effect } = start(graph, execution._id);
  if (effect.kind !== 'callWebhook') return intent;
  const callee = calleeOf({ execution, graph, nodeId: effect.nodeId });
  return calls.admits(callee) ? intent : later(intent, calls.returnIn(callee));
}

function later(intent: StartIntent, afterMs: number): StartIntent {
  const due = new Date(Date.now() + afterMs).toISOString();
  return { ...intent, afterMs, ...(isWorthNoting(afterMs) && { attributes: { ...intent.attributes, due } }) };
}
