import type { Endpoint } from './endpoint';
import { PAGE_QUERIES } from './cursor';
import { keysAt } from './known-keys';
import { nearestName } from '../../src/rules/near-name';
import type { ErrorDetail } from '../../src/platform/core';

const MOST_NAMES = 5;
const MOST_CHARACTERS = 40;

/** Returns the query parameters that an operation reads. */
export const queriesOf = ({ request, form }: Endpoint): readonly string[] => [
  ...(request?.query ? keysAt(request.query, []) : []),
  ...(form.list ? keysAt(PAGE_QUERIES[form.list], []) : []),
];

const BRACKETED = /^([^[\]]+)\[/;

/** Returns the faults of parameters like `to[$gt]`: nobody who gives one means that the operation goes without `to`. */
export function bracketedQueries(e: Endpoint, given: object): readonly ErrorDetail[] {
  const names = Object.keys(given).flatMap((name) => BRACKETED.exec(name)?.[1] ?? []);
  if (names.length === 0) return [];
  const known = queriesOf(e);
  const faulty = [...new Set(names)].filter((name) => known.includes(name));
  return faulty.map((path) => ({ path, code: 'invalid_type', message: `Give ${path} as one plain value, without brackets` }));
}

const isPlain = (byte: number): boolean => /[A-Za-z0-9_.-]/.test(String.fromCharCode(byte));

/** Escapes a text for a header: every other byte becomes its number. */
const inHeader = (name: string): string =>
  [...Buffer.from(name.slice(0, MOST_CHARACTERS))]
    .map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');

/** Returns what is said of query parameters that an operation passes over, in one sentence. */
export function unknownQueries(known: readonly string[], given: object): readonly string[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return [];
  const named = unknown.slice(0, MOST_NAMES).map((name) => {
    const near = nearestName(name.slice(0, MOST_CHARACTERS), known);
    return near === null ? inHeader(name) : `${inHeader(name)} (did you mean ${near}?)`;
  });
  const more = unknown.length - named.length;
  return [`Unknown query parameters were ignored: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
