import { nodePaths } from './graph';
import type { Graph, GraphNode } from './graph';
import { hasPlaceholder } from './placeholders';
import { rulesOf } from './nodes';

/** A text with placeholders, and its path in the graph. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Collects every text of a graph in which placeholders are replaced, with its path: the texts that the renderer must be able to read. */
export const texts = (graph: Graph, basePath = 'graph'): readonly Text[] =>
  nodePaths(graph, basePath).flatMap(([node, path]) => textsIn(rendered(node), `${path}.config`));

/** Returns how many placeholders a node holds in texts that are replaced together, whenever an execution comes by; a message has bounds of its own. */
export const placeholdersIn = (node: GraphNode): number =>
  rulesOf(node).sends ? 0 : textsIn(rendered(node), '').reduce((sum, { text }) => sum + text.split('{{').length - 1, 0);

/** Lists the paths of a node's configuration with placeholders that nothing replaces, keys of objects included. */
export function unreadIn(node: GraphNode, path: string): readonly string[] {
  const read = new Set(textsIn(rendered(node), path).map((text) => text.path));
  const unread = textsIn(node.config, path).filter((text) => !read.has(text.path));
  return [...unread, ...keysIn(node.config, path)].filter(({ text }) => hasPlaceholder(text)).map((text) => text.path);
}

/** Returns the part of a configuration that is rendered. */
const rendered = (node: GraphNode): unknown => rulesOf(node).rendered?.(node.config) ?? null;

function textsIn(value: unknown, path: string): readonly Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}

function keysIn(value: unknown, path: string): readonly Text[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ path: `${path}.${key}`, text: key }, ...keysIn(inner, `${path}.${key}`)]);
}
