/** Returns the JSON object that was written; an empty text is an empty one. Throws in these words where it is none. */
export function objectIn(text: string, words: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // As what is JSON and no object.
  }
  throw new Error(words);
}
