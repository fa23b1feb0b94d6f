/** Returns a JSON value with every text in it, keys too, in Unicode's form NFC: what looks the same is the same. */
export function composed(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Array.isArray(value)) return value.map(composed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.normalize('NFC'), composed(inner)]));
}
