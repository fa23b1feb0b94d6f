import { placesOf } from './graph';
import type { Graph, GraphNode } from './graph';
import { rulesOf } from './nodes';

/** A text with placeholders, and its place in the graph. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Collects every text of a graph in which placeholders are replaced, with its place: what the renderer has to be able to read. */
export const texts = (graph: Graph, basePath = 'graph'): readonly Text[] =>
  placesOf(graph, basePath).flatMap(([node, path]) => textsIn(rendered(node), `${path}.config`));

/** Returns how many placeholders a node holds in texts that are replaced together, whenever an execution comes by; a message has bounds of its own. */
export const placeholdersIn = (node: GraphNode): number =>
  rulesOf(node).sends ? 0 : textsIn(rendered(node), '').reduce((sum, { text }) => sum + text.split('{{').length - 1, 0);

/** Returns the part of a configuration that is rendered. */
const rendered = (node: GraphNode): unknown => rulesOf(node).rendered?.(node.config) ?? null;

function textsIn(value: unknown, path: string): readonly Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}
