import { placesOf } from './graph';
import type { Graph } from './graph';
import { rulesOf } from './nodes';
import type { PlacedField } from './trees';

/** Returns the fields that a graph's conditions and switches ask about, each with its place. */
export const fieldsAsked = (graph: Graph, basePath: string): readonly PlacedField[] =>
  placesOf(graph, basePath).flatMap(([node, path]) => rulesOf(node).fieldsAsked?.(node.config, `${path}.config`) ?? []);

/** Returns the custom fields of contacts that a graph changes. */
export const fieldsChanged = ({ nodes }: Graph): readonly string[] =>
  nodes.flatMap((node) => rulesOf(node).fieldsChanged?.(node.config) ?? []);
