import { nodePaths } from './graph';
import type { Graph } from './graph';
import { rulesOf } from './nodes';
import type { FieldAtPath } from './trees';

/** Returns the fields that a graph's conditions and switches ask about, each with its path. */
export const fieldsAsked = (graph: Graph, basePath: string): readonly FieldAtPath[] =>
  nodePaths(graph, basePath).flatMap(([node, path]) => rulesOf(node).fieldsAsked?.(node.config, `${path}.config`) ?? []);

/** Returns the custom fields of contacts that a graph changes. */
export const fieldsChanged = ({ nodes }: Graph): readonly string[] =>
  nodes.flatMap((node) => rulesOf(node).fieldsChanged?.(node.config) ?? []);
