/** Where the members of a segment come from, by its type. */
export const KINDS = { dynamic: 'Dynamic', static: 'Static' } as const;
