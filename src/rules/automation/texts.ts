import { placesOf } from './graph';
import type { Graph, GraphNode } from './graph';

export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Collects every text of a graph in which placeholders are replaced, with its place: what the renderer has to be able to read. */
export const texts = (graph: Graph, basePath = 'graph'): readonly Text[] =>
  placesOf(graph, basePath).flatMap(([node, path]) => textsIn(rendered(node), `${path}.config`));

/** Returns how many placeholders a node holds in texts that are replaced together, whenever an execution comes by; a message has bounds of its own. */
export const placeholdersIn = (node: GraphNode): number =>
  node.type === 'send_email' ? 0 : textsIn(rendered(node), '').reduce((sum, { text }) => sum + text.split('{{').length - 1, 0);

/** Returns the part of a configuration that is rendered. */
function rendered(node: GraphNode): unknown {
  switch (node.type) {
    case 'send_email': {
      if ('templateId' in node.config) return null;
      const { subject, body, previewText } = node.config;
      return { subject, body, previewText };
    }
    case 'update_contact':
      return node.config;
    case 'webhook': {
      const { url, headers, body } = node.config;
      return { url, headers, body };
    }
    default:
      return null;
  }
}

function textsIn(value: unknown, path: string): readonly Text[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
}
