import os from 'node:os';
import { parseArgs } from 'node:util';
import { StartError } from '@lettermill/local';
import { recordChange } from '../../records/audit';
import { getProject } from '../../records/projects';
import { CannotStart } from '../../platform/start-up';
import { AppError } from '../../platform/core';
import { readSchema, refuseNewer } from '../../upkeep/migrations';
import { UsageError } from './arguments';
import { FLAGS, OPTIONS } from './command';
import type { Command, FlagName, Given, OptionName, Platform } from './command';
import { COMMANDS } from './commands';

const callOf = ({ words, parameters, options = [], flags = [] }: Command): string =>
  [...words, ...parameters, ...options.map((name) => `[--${name} ${OPTIONS[name]}]`), ...flags.map((name) => `[--${name}]`)].join(' ');

const usageOf = (commands: readonly Command[]): string =>
  `Usage: npm run admin -- <command> [--json|--csv]\n\n${commands.map((command) => `  ${callOf(command)}\n      ${command.meaning}\n`).join('')}`;

/** Says how commands are called: those that begin as what was asked for, and all where none does. */
export function usageFor(argv: readonly string[]): string {
  const first = argv.find((word) => word !== 'help' && !word.startsWith('-'));
  const near = COMMANDS.filter(({ words }) => words[0] === first);
  return usageOf(near.length > 0 ? near : COMMANDS);
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Returns whether only words about the commands are wanted, wherever on the command line that is said. */
export const asksForHelp = (argv: readonly string[]): boolean => argv[0] === 'help' || argv.some((word) => HELP.has(word));

interface Answer {
  /** A JSON value. */
  readonly result: unknown;
  /** Why it is not all that was asked for; null when it is. */
  readonly fault: string | null;
}

/** The form of printed results: for people, one JSON value, or CSV. */
type Form = 'text' | 'json' | 'csv';

/** A parsed and checked command that has not been carried out yet. */
export interface Request {
  readonly form: Form;
  /** Whether it needs no database. */
  readonly offline: boolean;
  /** Rejects with `AppError` when the database does not allow it. A change that the audit does not take is said as a line. */
  readonly run: (platform: Platform) => Promise<Answer>;
}

const isUsageFault = (error: unknown): error is Error =>
  error instanceof Error && String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

const each = <N extends string, T>(names: readonly N[], type: T): Record<N, T> =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<N, T>;

function split(argv: readonly string[]) {
  try {
    const options = { ...each(Object.keys(OPTIONS) as OptionName[], text), ...each(FLAGS, flag), json: flag, csv: flag };
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    if (isUsageFault(error)) throw new UsageError(error.message);
    throw error;
  }
}

/** Understands the command line. Throws `UsageError`. */
export function parseRequest(argv: readonly string[]): Request {
  const { values, positionals } = split(argv);
  const { json = false, csv = false, ...given } = values;
  const command = commandOf(positionals);
  const call = toGiven(positionals.slice(command.words.length), given);
  const known: readonly string[] = [...(command.options ?? []), ...(command.flags ?? [])];
  const stray = Object.keys(given).filter((name) => !known.includes(name));
  if (!fits(command, call.args) || stray.length > 0) throw new UsageError(`Usage: ${callOf(command)}`);
  command.check?.(call);
  const { offline = false } = command;
  return { form: formOf(json, csv), offline, run: (platform) => carryOut(command, call, platform) };
}

/** Finds the command that is named. Throws `UsageError`. */
function commandOf(words: readonly string[]): Command {
  const command = COMMANDS.find((each) => each.words.every((word, at) => words[at] === word));
  if (command) return command;
  const asked = words.slice(0, 2).join(' ');
  throw new UsageError(asked === '' ? 'No command given' : `Unknown command "${asked}"`);
}

/** Returns how the result is printed. Throws `UsageError` for two forms at once. */
function formOf(json: boolean, csv: boolean): Form {
  if (json && csv) throw new UsageError('Use either --json or --csv');
  if (csv) return 'csv';
  return json ? 'json' : 'text';
}

const fits = ({ parameters }: Command, args: readonly string[]): boolean =>
  args.length <= parameters.length && args.length >= parameters.filter((name) => name.startsWith('<')).length;

function toGiven(args: readonly string[], values: Readonly<Record<string, string | boolean | undefined>>): Given {
  const options = Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string')) as Given['options'];
  return { args, options, flags: new Set(FLAGS.filter((name: FlagName) => values[name] === true)) };
}

async function carryOut(command: Command, given: Given, platform: Platform): Promise<Answer> {
  if (!command.anySchema && !command.offline) refuseNewer(await readSchema());
  const asked = projectIn(command, given);
  if (asked !== undefined) await nameProject(asked, platform);
  const { result, changed, fault = null } = await command.run(given, platform);
  if (changed) {
    if (changed.projectId !== null && changed.projectId !== asked) await nameProject(changed.projectId, platform);
    await recordChange({ ...changed, by: `operator ${operator()}` }, (error) =>
      platform.say(`The change was made, but is missing from the audit: ${explain(error)}`),
    );
  }
  return { result, fault };
}

// The id of a project that is on the command line; what it is given as a name is none.
const projectIn = ({ parameters }: Command, { args, options }: Given): string | undefined =>
  options.project ?? args.find((word, at) => parameters[at]?.includes('projectId') === true && word.startsWith('prj_'));

/** Says which project that is. One that is not there is the command's to refuse. */
async function nameProject(projectId: string, { say }: Platform): Promise<void> {
  const project = await getProject(projectId).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (project !== null) say(`Project: ${projectId} (${project.name})`);
}

/** Returns the name of the operator. A container may run as a user that its machine does not know. */
function operator(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the text of an error for the person at the terminal. */
export const explain = (error: unknown): string =>
  error instanceof AppError || error instanceof UsageError || error instanceof CannotStart || error instanceof StartError
    ? error.message
    : `It failed: ${error instanceof Error ? error.message : String(error)}`;
