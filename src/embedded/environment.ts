import { env } from 'node:process';

/**
 * The environment of a child process: `defaults` give way to what was given to us, `forced` does not. An empty variable counts as not given.
 * Nothing is read here; it is only handed on, and each child reads it through the one schema of the configuration.
 */
export function childEnvironment(
  defaults: Readonly<Record<string, string>> = {},
  forced: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  return { ...defaults, ...Object.fromEntries(given), ...forced };
}
