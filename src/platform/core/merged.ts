/**
 * Returns a new object with the members of `base`, overridden by `more`. Used for objects made per message: in a literal, members that follow a spread
 * cost the engine ten times as much.
 */
export const merged = <A extends object, B extends object>(base: A, more: B): Omit<A, keyof B> & B => Object.assign({}, base, more);

/** Turns undefined into null, which is how the core says that something is missing. */
export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;
