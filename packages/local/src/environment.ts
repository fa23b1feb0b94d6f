/** Returns the name of the variable that gives another one by a file: a program may read NAME from the file that NAME_FILE names. */
const fileOf = (name: string): string => `${name}_FILE`;

/** Returns `env` with the values of `forced`, which replace its own. */
export function overridden(env: Readonly<Record<string, string>>, forced: Readonly<Record<string, string>>): Record<string, string> {
  const isOver = new Set(Object.keys(forced).map(fileOf));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !isOver.has(name))), ...forced };
}

/**
 * Returns the environment of a child process: `defaults` give way to what was given to us, `forced` does not. An empty variable counts as not given.
 * Nothing is read here; it is only passed on.
 */
export function childEnvironment(
  defaults: Readonly<Record<string, string>> = {},
  forced: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const given = Object.fromEntries(entries);
  const missing = Object.entries(defaults).filter(([name]) => given[fileOf(name)] === undefined);
  return overridden({ ...Object.fromEntries(missing), ...given }, forced);
}
