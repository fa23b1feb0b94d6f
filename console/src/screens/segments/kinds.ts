/** Where the members of a segment come from, by its type. */
export const KINDS = { dynamic: 'By conditions', static: 'Chosen one by one' } as const;
