/** The types of segments, by the origin of their members. */
export const KINDS = { dynamic: 'Dynamic', static: 'Static' } as const;
