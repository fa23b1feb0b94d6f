import { caseTree, placesOf } from './graph';
import type { Graph, GraphNode, StoredTree } from './graph';

interface StoredGroup {
  readonly filters: readonly { readonly field: string }[];
  readonly conditions?: StoredTree | undefined;
}

/** A tree in a graph, with its place. */
export interface PlacedTree {
  readonly tree: StoredTree;
  readonly path: string;
}

/** Returns the tree that a trigger or a condition holds. */
export function treeOf(node: GraphNode, path: string): PlacedTree | null {
  if (node.type === 'condition') return { tree: node.config.conditions, path: `${path}.config.conditions` };
  if (node.type === 'trigger' && node.config.filter) return { tree: node.config.filter, path: `${path}.config.filter` };
  return null;
}

/** Returns the fields that a graph's conditions and switches ask about, each with its place. */
export function fieldsAsked(graph: Graph, basePath: string): readonly { readonly field: string; readonly path: string }[] {
  return placesOf(graph, basePath).flatMap(([node, path]) => {
    if (node.type === 'switch') return [{ field: node.config.field, path: `${path}.config.field` }];
    const placed = treeOf(node, path);
    return placed ? fieldsOf(placed) : [];
  });
}

const fieldsOf = ({ tree, path }: PlacedTree): readonly { readonly field: string; readonly path: string }[] =>
  (tree.groups as readonly StoredGroup[]).flatMap(({ filters, conditions }, group) => [
    ...filters.map(({ field }, filter) => ({ field, path: `${path}.groups.${group}.filters.${filter}.field` })),
    ...(conditions ? fieldsOf({ tree: conditions, path: `${path}.groups.${group}.conditions` }) : []),
  ]);

/** Returns the cases of a `switch` as trees, in order. */
export const caseTrees = ({ config }: Extract<GraphNode, { type: 'switch' }>): readonly StoredTree[] =>
  config.cases.map((one) => caseTree(config.field, one));
