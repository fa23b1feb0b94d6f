/** Returns whether a name is meant by a pattern: itself, all that begin alike (`email.*`), or `*`. */
export const matchesPattern = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** Returns the pattern as far as listeners are distinguished (`listenTo`): by a whole name or by what stands before its first dot. */
export const heardAs = (pattern: string): string => (pattern.endsWith('.*') ? `${pattern.slice(0, pattern.indexOf('.'))}.*` : pattern);
