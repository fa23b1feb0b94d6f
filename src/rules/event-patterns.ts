/** Returns whether a pattern matches a name: the name itself, all with the same prefix (`email.*`), or `*`. */
export const matchesPattern = (pattern: string, name: string): boolean =>
  pattern === '*' || pattern === name || (pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1)));

/** Returns the pattern as far as listeners are distinguished (`listenTo`): a whole name, or the part before its first dot. */
export const heardAs = (pattern: string): string => (pattern.endsWith('.*') ? `${pattern.slice(0, pattern.indexOf('.'))}.*` : pattern);
