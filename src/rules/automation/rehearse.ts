import type { Graph, GraphNode } from './graph';
import { start, transitionFor } from './interpreter';
import type { Effect, Input, StepRecord } from './machine';
import { rulesOf } from './nodes';
import type { Rehearsal, RehearsalOptions, RehearsalPorts, RehearsedStep, World } from './rehearsal';
import { setStage, worldOf } from './stage';
import type { Stage } from './stage';
import { factsNeeded } from '../conditions/inventory';
import type { Facts } from '../conditions/evaluate';
import { occurrenceKey } from '../conditions/types';
import type { Occurrence, Tree } from '../conditions/types';
import { senderOf } from './match-event';

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

/** Returns what a rehearsal's conditions are judged by. Its messages count as sent and delivered at once; opens and the like come from the script. */
export function factsIn(world: World<unknown>, tree: Tree): Facts {
  const { events, emails } = factsNeeded(tree);
  const found = [...events, ...emails].flatMap((occurrence) => {
    const at = instantsOf(world, occurrence).at(-occurrence.nth);
    return at ? [[occurrenceKey(occurrence), at] as const] : [];
  });
  return { occurrences: new Map(found), memberOf: world.segmentIds, trigger: world.trigger, ...(world.items && { items: world.items }) };
}

/** Returns when it happened, the latest last. */
export function instantsOf({ events, emails }: World<unknown>, { activity }: Pick<Occurrence, 'activity'>): readonly Date[] {
  if (activity.of === 'event') return events.filter(({ name }) => name === activity.name).map(({ at }) => at);
  const { status, campaignId, nodeId } = activity;
  if (campaignId !== null) return [];
  if (status === 'sent' || status === 'delivered') {
    return emails.filter((email) => email.skipped === undefined && (nodeId ?? email.nodeId) === email.nodeId).map(({ at }) => at);
  }
  const named = events.filter(({ name }) => name === `email.${status}`);
  if (nodeId === undefined) return named.map(({ at }) => at);
  // A message counts once, by the first of its events.
  return named.filter((event) => senderOf(event, emails) === nodeId).flatMap(({ at }, index) => (index === 0 ? [at] : []));
}
