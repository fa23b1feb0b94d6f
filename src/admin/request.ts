import os from 'node:os';
import { parseArgs } from 'node:util';
import { recordChange } from '../audit/service';
import { AppError } from '../errors';
import { UsageError } from './arguments';
import { OPTIONS } from './command';
import type { Command, Given, OptionName, Platform } from './command';
import { COMMANDS } from './commands';

const callOf = ({ words, parameters, options = [] }: Command): string =>
  [...words, ...parameters, ...options.map((name) => `[--${name} ${OPTIONS[name]}]`)].join(' ');

/** What can be asked for. */
export const USAGE = `Usage: npm run admin -- <command> [--json]\n\n${COMMANDS.map((command) => `  ${callOf(command)}\n      ${command.meaning}\n`).join('')}`;

interface Answer {
  /** A JSON value. */
  readonly result: unknown;
  /** Why it is not all that was asked for; null when it is. */
  readonly fault: string | null;
}

/** What was asked for, understood and checked but not yet done. */
export interface Request {
  readonly json: boolean;
  /** Rejects with `AppError` when the database does not allow it. A change that the audit does not take is told to `warn`. */
  readonly run: (platform: Platform, warn: (line: string) => void) => Promise<Answer>;
}

const isUsageFault = (error: unknown): error is Error =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

const text = { type: 'string' } as const;

function split(argv: readonly string[]) {
  try {
    const options = { ...(Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, text])) as Record<OptionName, typeof text>) };
    return parseArgs({ args: [...argv], options: { ...options, json: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    if (isUsageFault(error)) throw new UsageError(error.message);
    throw error;
  }
}

/** Understands the command line. Throws `UsageError`. */
export function parseRequest(argv: readonly string[]): Request {
  const { values, positionals } = split(argv);
  const { json = false, ...options } = values;
  const command = COMMANDS.find(({ words }) => words.every((word, at) => positionals[at] === word));
  if (!command) {
    const asked = positionals.slice(0, 2).join(' ');
    throw new UsageError(asked === '' ? 'Which command?' : `There is no command "${asked}"`);
  }
  const given: Given = { args: positionals.slice(command.words.length), options };
  const stray = Object.keys(options).filter((name) => !command.options?.includes(name as OptionName));
  if (given.args.length !== command.parameters.length || stray.length > 0) throw new UsageError(`The command is: ${callOf(command)}`);
  command.check?.(given);
  return { json, run: (platform, warn) => carryOut(command, given, platform, warn) };
}

async function carryOut(command: Command, given: Given, platform: Platform, warn: (line: string) => void): Promise<Answer> {
  const { result, changed, fault = null } = await command.run(given, platform);
  if (changed) {
    await recordChange({ ...changed, by: `operator ${operator()}` }, (error) =>
      warn(`This was done and is not in the audit: ${explain(error)}`),
    );
  }
  return { result, fault };
}

/** Who sits at the machine. A container may run as somebody whom its machine does not know. */
function operator(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What an error tells the person at the terminal. */
export const explain = (error: unknown): string =>
  error instanceof AppError || error instanceof UsageError
    ? error.message
    : `It failed: ${error instanceof Error ? error.message : String(error)}`;
