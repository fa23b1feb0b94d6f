import { parseConditions } from '../conditions/parse';
import { parseFilter } from '../conditions/parse-filter';
import type { Tree } from '../conditions/types';
import { fault } from './fault';
import type { GraphFault } from './fault';
import type { StoredTree } from './graph';
import { holdsPlaceholder, purePath } from './placeholders';

interface StoredFilter {
  readonly field: string;
  readonly value?: unknown;
  readonly nodeId?: string;
}

interface StoredGroup {
  readonly filters: readonly StoredFilter[];
  readonly conditions?: StoredTree | undefined;
}

/** A field that a condition asks about, with its path. */
export interface FieldAtPath {
  readonly field: string;
  readonly path: string;
}

/** A node whose message a condition asks about, with the path that names it. */
export interface NodeAtPath {
  readonly nodeId: string;
  readonly path: string;
}

const filtersIn = (tree: StoredTree, path: string): readonly (readonly [StoredFilter, string])[] =>
  (tree.groups as readonly StoredGroup[]).flatMap(({ filters, conditions }, group) => [
    ...filters.map((filter, index) => [filter, `${path}.groups.${group}.filters.${index}`] as const),
    ...(conditions ? filtersIn(conditions, `${path}.groups.${group}.conditions`) : []),
  ]);

/** Lists the fields that a tree asks about. */
export const fieldsIn = (tree: StoredTree, path: string): readonly FieldAtPath[] =>
  filtersIn(tree, path).map(([{ field }, place]) => ({ field, path: `${place}.field` }));

/** Lists the nodes about whose messages a tree asks. */
export const nodesIn = (tree: StoredTree, path: string): readonly NodeAtPath[] =>
  filtersIn(tree, path).flatMap(([{ nodeId }, place]) => (nodeId === undefined ? [] : [{ nodeId, path: `${place}.nodeId` }]));

/** Returns the faults that make a tree meaningless. A value with placeholders may become any type that they can evaluate to. */
export function treeFaults(tree: StoredTree, path: string): readonly GraphFault[] {
  const parsed = parse(mapFilters(tree, sampled), path);
  return 'faults' in parsed ? parsed.faults.map(({ path: place, message }) => fault(place, message)) : [];
}

/** Compiles a condition tree of a graph that was checked. */
export function meant(tree: StoredTree): Tree {
  const parsed = parse(tree);
  if ('ok' in parsed) return parsed.ok;
  throw new Error('A condition of a checked graph is at fault');
}

/** Returns the values of a tree's filters, each at its path. */
export const valuesIn = (tree: StoredTree): unknown => ({
  groups: (tree.groups as readonly StoredGroup[]).map(({ filters, conditions }) => ({
    filters: filters.map(({ value }) => ({ value })),
    conditions: conditions && valuesIn(conditions),
  })),
});

/** No contact is without an address. */
const NEVER = { field: 'email', operator: 'notExists' };

/** Replaces the placeholders in a tree's values. A filter whose value then is none that its operator takes holds for nobody. */
export function filledTree(tree: StoredTree, fill: (value: unknown) => unknown): StoredTree {
  if (!holdsPlaceholder(valuesIn(tree))) return tree;
  const filled = mapFilters(tree, (filter) => {
    if (!holdsPlaceholder(filter.value)) return filter;
    const value = fill(filter.value);
    const next = { ...filter, value: Array.isArray(value) ? (value as unknown[]).filter((item) => item !== undefined) : value };
    return takesValue(next) ? next : NEVER;
  });
  // Each value may be right for itself and all of them too long.
  return 'ok' in parse(filled) ? filled : { logic: 'and', groups: [{ filters: [NEVER] }] };
}

const parse = (tree: StoredTree, basePath?: string) =>
  parseConditions(tree, { ...(basePath !== undefined && { basePath }), allow: { trigger: true } });

const SAMPLES: readonly unknown[] = ['a', '2026-01-01', 1, true, ['a']];
/** Sample results of a text with more than a placeholder. */
const SAMPLE_TEXTS = SAMPLES.slice(0, 2);

/** Replaces a value with placeholders by a sample that its operator accepts, if there is one. */
function sampled(filter: StoredFilter): StoredFilter {
  if (!holdsPlaceholder(filter.value)) return filter;
  const values = samplesOf(filter.value).map((value) => ({ ...filter, value }));
  return values.find(takesValue) ?? filter;
}

function samplesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return purePath(value) ? SAMPLES : SAMPLE_TEXTS;
  if (!Array.isArray(value)) return [];
  return SAMPLES.map((sample) => (value as unknown[]).map((item) => (holdsPlaceholder(item) ? sample : item)));
}

function takesValue(filter: StoredFilter): boolean {
  const parsed = parseFilter({ operator: '', ...filter }, '', true);
  return 'ok' in parsed || !parsed.faults.some(({ path }) => path === '.value' || path.startsWith('.value.'));
}

function mapFilters(tree: StoredTree, change: (filter: StoredFilter) => object): StoredTree {
  const groups = (tree.groups as readonly StoredGroup[]).map(({ filters, conditions, ...group }) => ({
    ...group,
    filters: filters.map(change),
    ...(conditions && { conditions: mapFilters(conditions, change) }),
  }));
  return { ...tree, groups };
}
