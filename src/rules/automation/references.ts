import { fieldsAsked } from './filters';
import { placesOf } from './graph';
import type { Graph } from './graph';

interface Reference {
  readonly id: string;
  readonly path: string;
}

/** What a graph refers to outside itself. */
export interface References {
  readonly templateIds: readonly Reference[];
  /** `member: 'changed'` needs a static segment; conditions ask about any. */
  readonly segmentIds: readonly (Reference & { readonly member: 'asked' | 'changed' })[];
  readonly fromEmails: readonly { readonly email: string; readonly path: string }[];
  /** Where webhook nodes call; the host is literal. */
  readonly urls: readonly { readonly url: string; readonly path: string }[];
  /** Names of events, each once: waited for, asked about in conditions, emitted. */
  readonly listensTo: readonly string[];
  readonly asksAbout: readonly string[];
  readonly emits: readonly string[];
}

/** Collects everything that has to be looked up to judge a graph, and the events that it has to do with. */
export function references(graph: Graph, basePath = 'graph'): References {
  const places = placesOf(graph, basePath);
  const fields = fieldsAsked(graph, basePath);
  const named = (prefix: string) =>
    fields.flatMap(({ field, path }) => (field.startsWith(prefix) ? [{ id: field.slice(prefix.length), path }] : []));
  return {
    templateIds: places.flatMap(([node, path]) =>
      node.type === 'send_email' && 'templateId' in node.config ? [{ id: node.config.templateId, path: `${path}.config.templateId` }] : [],
    ),
    segmentIds: [
      ...places.flatMap(([node, path]) =>
        node.type === 'add_to_segment' || node.type === 'remove_from_segment'
          ? [{ id: node.config.segmentId, path: `${path}.config.segmentId`, member: 'changed' as const }]
          : [],
      ),
      ...named('segment.').map((reference) => ({ ...reference, member: 'asked' as const })),
    ],
    fromEmails: places.flatMap(([node, path]) =>
      node.type === 'send_email' && 'fromEmail' in node.config ? [{ email: node.config.fromEmail, path: `${path}.config.fromEmail` }] : [],
    ),
    urls: places.flatMap(([node, path]) => (node.type === 'webhook' ? [{ url: node.config.url, path: `${path}.config.url` }] : [])),
    listensTo: once(graph.nodes.flatMap((node) => (node.type === 'wait_for_event' ? [node.config.event] : []))),
    asksAbout: once(named('event.').map(({ id }) => id)),
    emits: once(graph.nodes.flatMap((node) => (node.type === 'emit_event' ? [node.config.name] : []))),
  };
}

const once = (names: readonly string[]): readonly string[] => [...new Set(names)];
