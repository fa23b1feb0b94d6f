export interface GraphFault {
  readonly path: string;
  readonly code: 'invalid_graph';
  readonly message: string;
}

export const fault = (path: string, message: string): GraphFault => ({ path, code: 'invalid_graph', message });

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
