import type { Graph, GraphNode } from './graph';
import { start, transitionFor } from './interpreter';
import type { Effect, Input, StepRecord } from './machine';
import { rulesOf } from './nodes';
import type { Rehearsal, RehearsalOptions, RehearsalPorts, RehearsedStep } from './rehearsal';
import { setStage, worldOf } from './stage';
import type { Stage } from './stage';

/**
 * Plays one execution of a graph without faults through in virtual time, by the interpreter that also runs real ones, and returns what would
 * happen. Script events with the same instant keep their order; one that falls on the instant of a timeout comes first.
 */
export async function rehearse<Contact>(
  graph: Graph,
  ports: RehearsalPorts<Contact>,
  options: RehearsalOptions<Contact>,
): Promise<Rehearsal> {
  const filter = graph.nodes.find((node) => node.type === 'trigger')?.config.filter;
  const stage = setStage(ports, options, filter);
  const path: RehearsedStep[] = [];
  const soFar = { path, emails: stage.emails, reason: null, error: null };
  if (filter && !(await ports.holds(filter, worldOf(stage)))) return { ...soFar, status: 'filter_not_matched', endedAt: stage.now };

  let transition = start(graph, options.executionId);
  note(path, transition.records, stage.now);
  while (transition.effect.kind !== 'finish') {
    const input = await perform(graph, stage, transition.effect);
    if (input === null) return { ...soFar, status: 'waiting', endedAt: stage.until ?? stage.now };
    transition = transitionFor(graph, transition.state, input);
    note(path, transition.records, stage.now);
  }
  const { status, reason, error } = transition.effect;
  return { ...soFar, status, reason, error, endedAt: stage.now };
}

/** Plays an effect and returns its result; null when that would come after `until`. */
function perform<Contact>(
  graph: Graph,
  stage: Stage<Contact>,
  effect: Exclude<Effect, { kind: 'finish' }>,
): Promise<Input | null> | Input | null {
  const node: GraphNode | undefined = graph.nodes.find(({ id }) => id === effect.nodeId);
  const rules = node && rulesOf(node);
  if (!rules || !('rehearse' in rules)) throw new Error(`The graph has no node ${effect.nodeId} at which something is asked`);
  return rules.rehearse(stage, node, effect);
}

// Until it is closed, a step that is rehearsed can only be waiting.
function note(path: RehearsedStep[], records: readonly StepRecord[], now: Date): void {
  for (const record of records) {
    if (record.kind === 'open') {
      const { nodeId, type } = record;
      path.push({ nodeId, type, status: 'waiting', at: now, branch: null, output: null, error: null });
    } else {
      const { nodeId, type, status, branch, output, error } = record;
      const opened = path.pop();
      path.push({ nodeId, type, status, at: opened?.at ?? now, branch, output, error });
    }
  }
}
