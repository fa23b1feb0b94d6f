const RESERVED = /^(email|contact|segment|workflow)\./;

/** Returns whether a name is the system's; all others belong to the caller (docs/events.md). */
export const isSystemName = (name: string): boolean => RESERVED.test(name);
