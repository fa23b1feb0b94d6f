const RESERVED = /^(email|contact|segment|workflow)\./;

/** Whether a name is the system's; all others belong to the caller (docs/events.md). */
export const isSystemName = (name: string): boolean => RESERVED.test(name);
