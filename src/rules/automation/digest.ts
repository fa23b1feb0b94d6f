import { fault } from './fault';
import type { GraphFault } from './fault';
import { nextNode, nodePaths } from './graph';
import type { Graph, GraphNode, NodeOf } from './graph';

/** An event that a digest has gathered, as templates and conditions read it. */
export interface DigestItem {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 8601 instant. */
  readonly at: string;
}

/** Returns the digest of a graph without faults; null where there is none. */
export function digestOf(graph: Graph): NodeOf<'digest'> | null {
  const trigger = graph.nodes.find(({ type }) => type === 'trigger');
  const first = trigger && nextNode(graph, trigger.id, null);
  const node: GraphNode | undefined = graph.nodes.find(({ id }) => id === first);
  return node?.type === 'digest' ? node : null;
}

/** Finds digests behind other nodes: what an execution gathers is decided when the next one would be enrolled. */
export function digestFaults(graph: Graph, basePath: string): readonly GraphFault[] {
  const types = new Map(graph.nodes.map(({ id, type }) => [id, type]));
  const comesLater = (nodeId: string): boolean => graph.edges.some(({ from, to }) => to === nodeId && types.get(from) !== 'trigger');
  return nodePaths(graph, basePath).flatMap(([{ id, type }, path]) =>
    type === 'digest' && comesLater(id) ? [fault(path, 'A digest has to be the first node after the trigger')] : [],
  );
}

/** Finds what keeps an automation from gathering: it needs events, and each of them has to enroll. */
export function digestStartFaults(
  graph: Graph,
  { trigger, reentry }: { readonly trigger: string; readonly reentry: string },
): readonly GraphFault[] {
  return nodePaths(graph, 'graph').flatMap(([{ type }, path]) => {
    if (type !== 'digest') return [];
    return [
      ...(trigger.startsWith('event:') ? [] : [fault(path, 'A digest needs a trigger of the form event:<name>')]),
      ...(reentry === 'always' ? [] : [fault(path, 'A digest needs the reentry "always"')]),
    ];
  });
}
