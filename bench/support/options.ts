import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** An invalid option; the message says why. */
export class BadOption extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Options> = ReturnType<typeof parseArgs<{ readonly options: T; readonly strict: true }>>['values'];

/** Reads `--name value`. Throws `BadOption` for what is not among `options`. */
export function optionsOf<const T extends Options>(args: readonly string[], options: T): Values<T> {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

/** Reads a whole number from 1 to `max`; `fallback` when the option is not given. */
export function wholeNumber(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new BadOption(`${name} must be a whole number from 1 to ${max}, not "${text}"`);
  return value;
}

/** Wraps a benchmark that has no options. */
export const withoutOptions =
  (run: () => Promise<void>) =>
  (args: readonly string[]): Promise<void> => {
    optionsOf(args, {});
    return run();
  };
