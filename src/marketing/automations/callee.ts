import type { Todo } from '../../contracts/automation';
import type { Core } from '../../platform/core';
import type { Callee } from '../../platform/http-client';
import type { Graph } from '../../rules/automation/graph';
import type { Execution } from './execution-model';
import { nodeOfType } from './graphs';

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
