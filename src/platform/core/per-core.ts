import type { Core } from './context';

/** A part of a Core, of any of its members. */
type PartOfCore = { readonly [Member in keyof Core]?: unknown };

/**
 * Declares what a process has one of besides the members of its Core: a cache, a queue, a buffer. It is made when it is first asked for, belongs to that
 * Core and goes with it, so that two of them in one process share nothing.
 */
export function perCore<Own extends object, C extends PartOfCore = PartOfCore>(make: (core: C) => Own): (core: C) => Own {
  const made = new WeakMap<C, Own>();
  return (core) => {
    let own = made.get(core);
    if (own === undefined) made.set(core, (own = make(core)));
    return own;
  };
}
