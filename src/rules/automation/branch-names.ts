import { fault } from './fault';
import type { GraphFault } from './fault';

/** Finds branches whose name is taken; `path` is that of the list. */
export function repeatedNames(
  items: readonly { readonly branch: string }[],
  path: string,
  reserved: readonly string[] = [],
): readonly GraphFault[] {
  const taken = new Set(reserved);
  return items.flatMap(({ branch }, index) => {
    if (taken.has(branch)) return [fault(`${path}.${index}.branch`, 'This name is already used')];
    taken.add(branch);
    return [];
  });
}
