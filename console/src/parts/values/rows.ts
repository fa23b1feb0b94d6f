import { kindOf } from './kinds.ts';
import type { Kind } from './kinds.ts';

/** A member of an object, or an item of a list. */
export interface Row {
  /** Identifies the row as long as it is shown: one that moves to its position does not get what was typed in it. */
  readonly key: string;
  /** Null in a list, and as long as none is written. */
  readonly name: string | null;
  readonly kind: Kind;
  /** Undefined for an expected name without a value. */
  readonly value: unknown;
}

let lastKey = 0;

export const newRow = (name: string | null, value: unknown): Row => ({ key: String(++lastKey), name, kind: kindOf(value), value });

/** Returns the rows of a list or an object; none of anything else. */
export function rowsOf(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.map((item: unknown) => newRow(null, item));
  return typeof value === 'object' && value !== null ? Object.entries(value).map(([name, own]) => newRow(name, own)) : [];
}

/** Returns what rows mean. A row without a name is in no object. */
export const valueOf = (rows: readonly Row[], isList: boolean): object =>
  isList
    ? rows.map(({ value }) => value)
    : Object.fromEntries(rows.flatMap(({ name, value }) => (name === null || value === undefined ? [] : [[name, value]])));

/** Returns the names that are expected within a group: `plan` within `data`, of `data.plan`. */
export const expectedIn = (names: readonly string[], group: string | null): readonly string[] =>
  names.flatMap((name) => (name.startsWith(`${group}.`) ? [name.slice(`${group}.`.length)] : []));

const headOf = (name: string): string => name.split('.', 1)[0] ?? name;

/** Returns the rows, and one for each expected name that has none. */
export function withExpected(rows: readonly Row[], names: readonly string[]): readonly Row[] {
  const heads = [...new Set(names.map(headOf))];
  const kept = rows.filter(({ name, value }) => value !== undefined || (name !== null && heads.includes(name)));
  const missing = heads.filter((head) => !kept.some(({ name }) => name === head));
  const rowFor = (name: string): Row => {
    const kind = expectedIn(names, name).length > 0 ? 'group' : 'text';
    return { key: `expected ${name}`, name, kind, value: undefined };
  };
  return [...kept, ...missing.map(rowFor)];
}

/** Returns whether a value is an object without members. */
export const isEmptyGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
