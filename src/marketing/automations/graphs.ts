import { LRUCache } from 'lru-cache';
import type { ClientSession } from 'mongoose';
import { derivedId } from '../../platform/core';
import { perDatabase } from '../../platform/mongo';
import { domainOf } from '../../platform/addresses';
import type { Graph, GraphNode, NodeOf, NodeType } from '../../rules/automation/graph';
import { references } from '../../rules/automation/references';
import { PinnedGraphModel } from './model';
import type { GraphUses, PinnedGraph } from './model';

const CACHED_CHARACTERS = 16 * 1024 * 1024;
const knownGraphs = perDatabase(() => new LRUCache<string, Graph>({ maxSize: CACHED_CHARACTERS }));

export const EMPTY_GRAPH: Graph = { nodes: [], edges: [] };

/** Parses the stored graph of an automation. */
export const readGraph = (text: string | null): Graph | null => (text === null ? null : (JSON.parse(text) as Graph));

/** Lists what a graph refers to, stored with it so that other rooms can find the users of a resource. */
export function usesOfGraph(graph: Graph): GraphUses {
  const { templateIds, segmentIds, fromEmails, topicIds = [], topicKeys = [] } = references(graph);
  return {
    templates: distinct(templateIds.map(({ id }) => id)),
    segments: distinct(segmentIds.map(({ id }) => id)),
    domains: distinct(fromEmails.map(({ email }) => domainOf(email))),
    topics: distinct([...topicIds, ...topicKeys].map(({ id }) => id)),
  };
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** Stores a graph for the executions that begin with it. Resolves to its id. */
export async function pinGraph(session: ClientSession, projectId: string, graph: string): Promise<string> {
  const _id = derivedId('grf', projectId, graph);
  const pinned = { projectId, graph, uses: usesOfGraph(JSON.parse(graph) as Graph) };
  await PinnedGraphModel.collection.updateOne({ _id: _id }, { $setOnInsert: pinned }, { session, upsert: true });
  return _id;
}

/** Loads a pinned graph. */
export async function loadGraph(projectId: string, graphId: string): Promise<Graph> {
  const graphs = knownGraphs();
  const known = graphs.get(graphId);
  if (known) return known;
  const row = await PinnedGraphModel.findOne({ _id: graphId, projectId }).lean<PinnedGraph>();
  if (!row) throw new Error(`The graph ${graphId} is gone`);
  const graph = JSON.parse(row.graph) as Graph;
  graphs.set(graphId, graph, { size: row.graph.length });
  return graph;
}

/** Finds a node by id. Throws when it is missing or has another type. */
export function nodeOfType<T extends NodeType>(graph: Graph, nodeId: string, type: T): NodeOf<T> {
  const node: GraphNode | undefined = graph.nodes.find(({ id }) => id === nodeId);
  if (node?.type !== type) throw new Error(`The graph has no ${type} node ${nodeId}`);
  return node as NodeOf<T>;
}
