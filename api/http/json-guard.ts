import { randomInt } from 'node:crypto';
import type { ErrorDetail } from '../../src/platform/core';
import { MAX_DETAILS, dotted } from './issues';

const MAX_DEPTH = 64;
/** A batch of 1,000 messages with 200 variables each stays below. */
const MAX_VALUES = 300_000;
/** Each object shape costs the parser microseconds, each repetition of one next to nothing: no honest body has this many. */
const MAX_SHAPES = 30_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const NEAR_BYTES = 64;

const { imul } = Math;

/** Draws a factor that no sender of bodies can guess. */
const drawn = (): number => randomInt(2 ** 32) | 1;
const SEED = drawn();
const OF_KEYS = drawn();
const OF_SHAPES = drawn();

/** The member of a body that holds a content by language, each of which may have the members of the content. */
const BY_LANGUAGE = 'variants';

/** Scans the strings and brackets of a JSON text, and counts what would be costly to parse. */
class Scan {
  /** The text of each member of that name, by language; null is the key of the one in the outermost object. Of repeated members the last one counts. */
  readonly members = new Map<string | null, string>();
  /** Start of the value of such a member; 0 outside of it. */
  private memberFrom = 0;
  /** The holder of that value. */
  private memberOf: string | null = null;
  private memberDepth = 0;
  /** Whether the outermost object's member `variants` is being read. */
  private isByLanguage = false;
  /** The key that is being read there. */
  private language: string | null = null;
  private depth = 0;
  private values = 1;
  /** Start and end of the last string. */
  private from = 0;
  private end = 0;
  /** For the open object at each depth: a hash of its keys so far, in order. */
  private readonly shape = new Int32Array(MAX_DEPTH + 2);
  private readonly shapes = new Set<number>();

  constructor(
    private readonly bytes: Buffer,
    private readonly name: string | null,
  ) {}

  run(): string | null {
    for (let at = 0; at < this.bytes.length; at++) {
      const byte = this.bytes[at];
      if (byte === QUOTE) at = this.skipString(at);
      else if (byte === COMMA) this.addValue(at);
      else if (byte === COLON) this.addKey(at);
      else this.bracket(byte, at);
      if (this.depth > MAX_DEPTH) return `Nested more than ${MAX_DEPTH} levels deep`;
      if (this.values > MAX_VALUES || this.shapes.size > MAX_SHAPES) return 'Too many values';
    }
    return null;
  }

  private bracket(byte: number | undefined, at: number): void {
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.shape[++this.depth] = 0;
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && this.depth > 0) {
      this.endMember(at);
      this.depth--;
    }
  }

  private addValue(at: number): void {
    this.values++;
    this.endMember(at);
  }

  private endMember(at: number): void {
    if (this.memberFrom === 0 || this.depth !== this.memberDepth) return;
    this.members.set(this.memberOf, this.bytes.toString('utf8', this.memberFrom, at).trim());
    this.memberFrom = 0;
  }

  /** Returns the index of the quote that ends the string which begins at `start`. */
  private skipString(start: number): number {
    this.from = start + 1;
    this.end = this.endOf(this.from);
    return this.end;
  }

  /** Checks byte by byte while the end may be near: starting a search costs as much as checking this many bytes. */
  private endOf(from: number): number {
    const { bytes } = this;
    let at = from;
    for (;;) {
      const far = Math.min(at + NEAR_BYTES, bytes.length);
      while (at < far && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      if (at < far || far === bytes.length) return at;
      const quote = bytes.indexOf(QUOTE, at);
      if (quote === -1) return bytes.length;
      if (!this.isEscaped(quote, at)) return quote;
      at = quote + 1;
    }
  }

  // Behind an odd number of backslashes a quote is a part of the string; none of those before `from` is one of them.
  private isEscaped(quote: number, from: number): boolean {
    let first = quote;
    while (first > from && this.bytes[first - 1] === BACKSLASH) first--;
    return (quote - first) % 2 === 1;
  }

  private addKey(at: number): void {
    if (this.name !== null && this.depth <= 3) this.addMember(this.name, at + 1);
    let key = SEED;
    for (let at = this.from; at < this.end; at++) {
      key = imul(key ^ (this.bytes[at] ?? 0), OF_KEYS);
      key ^= key >>> 15;
    }
    const shape = (imul(this.shape[this.depth] ?? 0, OF_SHAPES) ^ key) | 0;
    this.shape[this.depth] = shape;
    this.shapes.add(shape);
  }

  /** Notes where a value begins that is kept as it is written. */
  private addMember(name: string, from: number): void {
    this.findLanguage();
    const isHolder = this.depth === 1 || (this.depth === 3 && this.language !== null);
    if (!isHolder || !this.isNamed(name)) return;
    this.memberFrom = from;
    this.memberOf = this.language;
    this.memberDepth = this.depth;
  }

  /** Notes whose members come next. The last of several members of one name counts, as for `JSON.parse`: what was found in another is dropped. */
  private findLanguage(): void {
    if (this.depth === 1) {
      this.language = null;
      this.isByLanguage = this.isNamed(BY_LANGUAGE);
      if (this.isByLanguage) this.dropLanguages();
    } else if (this.depth === 2 && this.isByLanguage) {
      this.language = this.key();
      this.members.delete(this.language);
    }
  }

  private dropLanguages(): void {
    for (const holder of this.members.keys()) if (holder !== null) this.members.delete(holder);
  }

  private isNamed(name: string): boolean {
    return this.end - this.from <= 6 * name.length && this.key() === name;
  }

  /** Returns the last string, which is a key; one that is no JSON as it is written. */
  private key(): string {
    const key = this.bytes.toString('utf8', this.from, this.end);
    if (!key.includes('\\')) return key;
    try {
      return String(JSON.parse(`"${key}"`));
    } catch {
      return key;
    }
  }
}

/** The result of scanning a JSON text before `JSON.parse` reads it. */
interface Scanned {
  /** The reason why it is too large to parse, or null. */
  readonly excess: string | null;
  /** The texts of the members of the name asked for: of the outermost object by null, and of its `variants` by language. */
  readonly members: ReadonlyMap<string | null, string>;
}

/** Checks a JSON text in one pass over the bytes, without recursion. */
export function scanJson(bytes: Buffer, name: string | null = null): Scanned {
  const scan = new Scan(bytes, name);
  return { excess: scan.run(), members: scan.members };
}

/** The BSON library takes an object with the last of these for one of its own types. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

/** Returns whether no object of a body may have a key of this name. */
export const isReservedKey = (key: string): boolean => key.startsWith('$') || RESERVED.has(key) || key.includes('\0');

// The position of a node on the canvas is stored as given, without a check.
const isVerbatim = (path: readonly PropertyKey[], key: string): boolean =>
  key === 'position' && path.length === 3 && path[0] === 'graph' && path[1] === 'nodes';

/**
 * Removes every reserved key (`__proto__`, `constructor`, `prototype`, `_bsontype`, `$…`, and those with a NUL) and names them, one detail each.
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
      if (isReservedKey(key)) remove(fields, key);
      else if (!isVerbatim(path, key)) enter(key, fields[key]);
    }
  };
  if (typeof value === 'object' && value !== null) walk(value);
  return details;
}
