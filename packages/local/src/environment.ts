/**
 * Returns the environment of a child process: `defaults` give way to what was given to us, `forced` does not. An empty variable counts as not given.
 * Nothing is read here; it is only passed on.
 */
export function childEnvironment(
  defaults: Readonly<Record<string, string>> = {},
  forced: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const given = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return { ...defaults, ...Object.fromEntries(given), ...forced };
}
