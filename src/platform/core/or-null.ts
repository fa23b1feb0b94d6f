/** What is not there is null in the core, whichever way it was left out. */
export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;
