import type { Graph } from './graph';
import { start, step } from './interpreter';
import type { StepRecord } from './machine';
import type { Rehearsal, RehearsalOptions, RehearsalPorts, RehearsedStep } from './rehearsal';
import { perform, setStage, worldOf } from './stage';

/**
 * Plays one execution of a graph without faults through in virtual time, by the interpreter that also runs real ones, and returns what would
 * happen. Script events with the same instant keep their order; one that falls on the instant of a timeout comes first.
 */
export async function rehearse<Contact>(
  graph: Graph,
  ports: RehearsalPorts<Contact>,
  options: RehearsalOptions<Contact>,
): Promise<Rehearsal> {
  const stage = setStage(graph, ports, options);
  const path: RehearsedStep[] = [];
  const soFar = { path, emails: stage.emails, reason: null, error: null };
  const filter = graph.nodes.find((node) => node.type === 'trigger')?.config.filter;
  if (filter && !(await ports.holds(filter, worldOf(stage)))) return { ...soFar, status: 'filter_not_matched', endedAt: stage.now };

  let turn = start(graph, options.executionId);
  note(path, turn.records, stage.now);
  while (turn.effect.kind !== 'finish') {
    const input = await perform(stage, turn.effect);
    if (input === null) return { ...soFar, status: 'waiting', endedAt: stage.until ?? stage.now };
    turn = step(graph, turn.state, input);
    note(path, turn.records, stage.now);
  }
  const { status, reason, error } = turn.effect;
  return { ...soFar, status, reason, error, endedAt: stage.now };
}

/** Until it is closed, a step that is rehearsed can only be waiting. */
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
