export const orNull = <T>(value: T | null | undefined): T | null => value ?? null;
