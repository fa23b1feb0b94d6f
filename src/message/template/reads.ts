import type { Leaf } from './leaves';

/** The root names that a template reads; for `data` also which keys, or null when it reads the whole. */
export interface Reads {
  readonly names: Set<string>;
  readonly system: Set<string>;
  dataKeys: Set<string> | null;
  /** The project's strings that it needs: those that it reads without a fallback. */
  readonly strings: Set<string>;
}

export function noReads(): Reads {
  return { names: new Set(), system: new Set(), dataKeys: new Set(), strings: new Set() };
}

/** Returns what either of two parts reads. */
export function mergedReads(left: Reads, right: Reads): Reads {
  return {
    names: new Set([...left.names, ...right.names]),
    system: new Set([...left.system, ...right.system]),
    strings: new Set([...left.strings, ...right.strings]),
    dataKeys: left.dataKeys && right.dataKeys && new Set([...left.dataKeys, ...right.dataKeys]),
  };
}

/** A template's tags, and what they read. */
export interface Parsed {
  readonly leaves: readonly Leaf[];
  readonly reads: Reads;
}
