import { nodePaths } from './graph';
import type { Graph } from './graph';
import { rulesOf } from './nodes';
import type { FieldAtPath } from './trees';

interface Reference {
  readonly id: string;
  readonly path: string;
}

/** The objects outside a graph that it refers to. */
export interface References {
  readonly templateIds: readonly Reference[];
  /** `member: 'changed'` needs a static segment; conditions ask about any. */
  readonly segmentIds: readonly (Reference & { readonly member: 'asked' | 'changed' })[];
  /** `fits`: what is sent may have a topic. Absent where no message has one. */
  readonly topicIds?: readonly (Reference & { readonly fits: boolean })[];
  /** Keys that conditions ask about, where they ask about any. */
  readonly topicKeys?: readonly Reference[];
  readonly fromEmails: readonly { readonly email: string; readonly path: string }[];
  /** URLs that webhook nodes call; the host is literal. */
  readonly urls: readonly { readonly url: string; readonly path: string }[];
  /** Names of events, each once: waited for, asked about in conditions, emitted. */
  readonly listensTo: readonly string[];
  readonly asksAbout: readonly string[];
  readonly emits: readonly string[];
}

/** Collects everything that has to be looked up to judge a graph, and the events that it has to do with. */
export function references(graph: Graph, basePath = 'graph'): References {
  const fields = fieldsAsked(graph, basePath);
  const named = (prefix: string) =>
    fields.flatMap(({ field, path }) => (field.startsWith(prefix) ? [{ id: field.slice(prefix.length), path }] : []));
  const own = nodePaths(graph, basePath).map(([node, path]) => rulesOf(node).references?.(node.config, `${path}.config`) ?? {});
  return {
    templateIds: own.flatMap(({ templateIds = [] }) => templateIds),
    segmentIds: [
      ...own.flatMap(({ segmentIds = [] }) => segmentIds),
      ...named('segment.').map((reference) => ({ ...reference, member: 'asked' as const })),
    ],
    ...some({ topicIds: own.flatMap(({ topicIds = [] }) => topicIds), topicKeys: named('topic.') }),
    fromEmails: own.flatMap(({ fromEmails = [] }) => fromEmails),
    urls: own.flatMap(({ urls = [] }) => urls),
    listensTo: once(own.flatMap(({ listensTo = [] }) => listensTo)),
    asksAbout: once(named('event.').map(({ id }) => id)),
    emits: once(own.flatMap(({ emits = [] }) => emits)),
  };
}

/** Leaves out lists that hold nothing. */
const some = <T extends Readonly<Record<string, readonly unknown[]>>>(lists: T): Partial<T> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;

const once = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** Returns the fields that a graph's conditions and switches ask about, each with its path. */
export const fieldsAsked = (graph: Graph, basePath: string): readonly FieldAtPath[] =>
  nodePaths(graph, basePath).flatMap(([node, path]) => rulesOf(node).fieldsAsked?.(node.config, `${path}.config`) ?? []);

/** Returns the custom fields of contacts that a graph changes. */
export const fieldsChanged = ({ nodes }: Graph): readonly string[] =>
  nodes.flatMap((node) => rulesOf(node).fieldsChanged?.(node.config) ?? []);
