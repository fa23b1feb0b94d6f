import type { NodeType } from '../../rules/automation/graph';
import type { Execution } from './execution-model';
import { closedBy } from './gate';
import { loadGraph } from './graphs';

/** What keeps an execution from going on. */
interface WaitingFor {
  /** `delay`: an instant; `time`: a time of day; `event`; `paused` and `disabled`: its automation or its project to be switched on again. */
  readonly kind: 'delay' | 'time' | 'event' | 'paused' | 'disabled';
  readonly nodeId: string | null;
  /** The name of the event. */
  readonly event: string | null;
}

/** What an execution that stands waits for. */
export interface Waiting {
  /** When it goes on at the latest; null when that is not known. */
  readonly until: Date | null;
  readonly what: WaitingFor;
}

/** Returns what an execution waits for; null when it is over, or has something to do. */
export async function waitOf(execution: Execution): Promise<Waiting | null> {
  const { state, pending, waitingFor, currentNodeId: nodeId } = execution;
  if (!execution.checkAt) return null;
  if (pending === null && state?.phase === 'sleeping') {
    const kind = (await isTimeOfDay(execution, state.nodeId)) ? 'time' : 'delay';
    return { until: new Date(state.until), what: { kind, nodeId: state.nodeId, event: null } };
  }
  if (pending === null && waitingFor) {
    return { until: waitingFor.until, what: { kind: 'event', nodeId: waitingFor.nodeId, event: waitingFor.event } };
  }
  const cause = await closedBy(execution);
  return cause && { until: null, what: { kind: cause, nodeId, event: null } };
}

const DELAY: NodeType = 'delay';

async function isTimeOfDay({ projectId, graphId }: Execution, nodeId: string): Promise<boolean> {
  const { nodes } = await loadGraph(projectId, graphId);
  return nodes.some((node) => node.id === nodeId && node.type === DELAY && 'time' in node.config);
}
