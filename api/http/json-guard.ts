import type { ErrorDetail } from '../../src/errors';
import { MAX_DETAILS, dotted } from './issues';

const MAX_DEPTH = 64;
/** A batch of 1,000 messages with 200 variables each stays below; far more would hold the event loop while it is parsed. */
const MAX_VALUES = 400_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The index of the quote that ends the string which begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** What makes a JSON text too much to parse, or null. One pass over the bytes, no recursion: made before `JSON.parse` sees them. */
export function excessOf(bytes: Uint8Array): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > MAX_DEPTH) return `Nested more than ${MAX_DEPTH} levels deep`;
  }
  return values > MAX_VALUES ? `More than ${MAX_VALUES} values` : null;
}

const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

const isReserved = (key: string): boolean => key.startsWith('$') || RESERVED.has(key) || key.includes('\0');

/** Two places are kept as given, whatever they hold: a campaign's design, and the place of a node on the canvas. */
const isVerbatim = (path: readonly PropertyKey[], key: string): boolean =>
  (key === 'bodyBlocks' && path.length === 0) || (key === 'position' && path.length === 3 && path[0] === 'graph' && path[1] === 'nodes');

/**
 * Removes every reserved key (`__proto__`, `constructor`, `prototype`, `$…`, and those with a NUL) and names them, one detail each.
 * Recursion is bounded: `excessOf` has refused deep texts.
 */
export function removeReservedKeys(value: unknown): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const path: PropertyKey[] = [];
  const enter = (key: PropertyKey, inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    path.push(key);
    walk(inner);
    path.pop();
  };
  const remove = (holder: Record<string, unknown>, key: string): void => {
    if (details.length < MAX_DETAILS) {
      details.push({ path: dotted([...path, key]), code: 'reserved_name', message: 'This key is reserved' });
    }
    delete holder[key];
  };
  const walk = (holder: object): void => {
    if (Array.isArray(holder)) {
      holder.forEach((inner, index) => enter(index, inner));
      return;
    }
    const fields = holder as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      if (isReserved(key)) remove(fields, key);
      else if (!isVerbatim(path, key)) enter(key, fields[key]);
    }
  };
  if (typeof value === 'object' && value !== null) walk(value);
  return details;
}
