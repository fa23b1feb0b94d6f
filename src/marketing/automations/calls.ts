import { CROWD, FairQueue } from '../../platform/fair';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import type { Todo } from '../../contracts/automation';
import type { Callee } from '../../platform/http-client';
import type { Graph } from '../../rules/automation/graph';
import type { Execution } from './execution-model';
import { nodeOfType } from './graphs';

/**
 * Concurrent calls of this process to Temporal for executions. A crowd that enters an automation, or continues, causes as many calls; made
 * all at once, they would take the server's whole time for seconds, in which it hands out no task to anybody.
 */
const AT_ONCE = 4;
/** For projects that have few. */
const SPARE = 4;

/** While no other project has begun or nudged one for a while. */
const ALONE = { most: 24, afterMs: CROWD.aloneMs };

const places = perCore(() => new FairQueue({ most: AT_ONCE, spare: SPARE, alone: ALONE }));

/** Calls Temporal for an execution once its project has a free place. */
export async function withPlace(core: Core, projectId: string, call: () => Promise<void>): Promise<void> {
  const leave = await places(core).take(projectId);
  try {
    await call();
  } finally {
    leave?.();
  }
}

/** A webhook node that an execution has come to. */
export interface CallPosition {
  readonly execution: Pick<Execution, 'projectId'>;
  readonly graph: Graph;
  readonly nodeId: string;
}

/** Returns the caller and the host of a call; the host of a webhook node has no placeholders. */
export function calleeOf({ graph, nodeId, execution: { projectId } }: CallPosition): Callee {
  const [, host = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(nodeOfType(graph, nodeId, 'webhook').config.url) ?? [];
  return { kind: 'within', projectId, host: host.toLowerCase() };
}

/** Returns a call that waits until the server may be called: it has spent no attempt. */
export const heldBackCall = ({ calls }: Pick<Core, 'calls'>, callee: Callee, nodeId: string, attempt: number): Todo => ({
  next: 'call',
  nodeId,
  attempt,
  afterMs: calls.returnIn(callee),
  heldBack: true,
});
