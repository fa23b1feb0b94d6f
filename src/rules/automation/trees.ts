import { parseConditions } from '../conditions/parse';
import { fault } from './fault';
import type { GraphFault } from './fault';
import type { StoredTree } from './graph';

interface StoredGroup {
  readonly filters: readonly { readonly field: string }[];
  readonly conditions?: StoredTree | undefined;
}

/** A field that a condition asks about, with its place. */
export interface PlacedField {
  readonly field: string;
  readonly path: string;
}

/** Lists the fields that a tree asks about. */
export const fieldsIn = (tree: StoredTree, path: string): readonly PlacedField[] =>
  (tree.groups as readonly StoredGroup[]).flatMap(({ filters, conditions }, group) => [
    ...filters.map(({ field }, filter) => ({ field, path: `${path}.groups.${group}.filters.${filter}.field` })),
    ...(conditions ? fieldsIn(conditions, `${path}.groups.${group}.conditions`) : []),
  ]);

/** Finds the faults for which a tree means nothing. */
export function treeFaults(tree: StoredTree, path: string): readonly GraphFault[] {
  const parsed = parseConditions(tree, { basePath: path, allow: { trigger: true } });
  return 'faults' in parsed ? parsed.faults.map(({ path: place, message }) => fault(place, message)) : [];
}
