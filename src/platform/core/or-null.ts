/** Turns undefined into null, which is how the core says that something is missing. */
export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;
