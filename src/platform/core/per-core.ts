import type { Core } from './context';

/** A part of a Core, of any of its members. */
type PartOfCore = { readonly [Member in keyof Core]?: unknown };

/**
 * Declares a cache, queue or buffer of which each process has one, in addition to the members of its Core. It is created when it is first
 * used and belongs to that Core, so that two Cores in one process share nothing.
 */
export function perCore<Own extends object, C extends PartOfCore = PartOfCore>(make: (core: C) => Own): (core: C) => Own {
  const made = new WeakMap<C, Own>();
  return (core) => {
    let own = made.get(core);
    if (own === undefined) made.set(core, (own = make(core)));
    return own;
  };
}
