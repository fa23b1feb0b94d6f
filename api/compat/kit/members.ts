import { invalid } from '../../../src/platform/core';

export type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object's members. Throws `validation_error` for anything else. */
export function membersOf(value: unknown, path = ''): Members {
  if (!isObject(value)) throw invalid(path, 'invalid_type', 'Must be an object');
  return value;
}

/** Returns the entries of a list. Throws `validation_error` for anything else. */
export function entriesOf(value: unknown, path = ''): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, 'invalid_type', 'Must be a list');
  return value;
}

/** Returns the members that a table names, under their names here. Others are dropped. */
export const renamed = (given: Members, names: Readonly<Record<string, string>>): Members =>
  Object.fromEntries(
    Object.entries(names).flatMap(([there, here]) =>
      Object.hasOwn(given, there) && given[there] !== undefined ? [[here, given[there]]] : [],
    ),
  );

/** Drops members that are null: the other services treat them as not given. */
export const stated = (given: Members): Members => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

/** Returns the opposite of a truth value; anything else stays as it is, to be refused. */
export const negated = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value);

/** Refuses members that have no counterpart. `why` says what to do instead, by name. */
export function refuse(given: Members, why: Readonly<Record<string, string>>): void {
  for (const [name, message] of Object.entries(why)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && value !== null) throw invalid(name, 'invalid_combination', message);
  }
}
