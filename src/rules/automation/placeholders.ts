/** A text that is a single placeholder, without helper or fallback. */
const PURE = /^\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}$/;

/** Returns whether a text has a placeholder. */
export function hasPlaceholder(text: string): boolean {
  const at = text.indexOf('{{');
  return at !== -1 && text.includes('}}', at);
}

/** Returns the path of a text that is exactly one placeholder, which evaluates to the value itself with its type; null for any other text. */
export const purePath = (text: string): readonly string[] | null => PURE.exec(text.trim())?.[1]?.split('.') ?? null;

/** Returns whether there is a placeholder in any text of a JSON value. */
export function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return hasPlaceholder(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsPlaceholder);
}
