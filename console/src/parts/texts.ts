/** Returns a written text without blanks around it; null where nothing was written. */
export const orNull = (text: string): string | null => text.trim() || null;
