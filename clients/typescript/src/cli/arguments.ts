import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Command, Flag } from './command.ts';
import { UsageError } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Options of every command. */
export interface Common {
  readonly json: boolean;
  readonly help: boolean;
  readonly all: boolean;
  readonly profile: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** The request of a command line to an operation. */
export interface Asked extends Common {
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly file: Uint8Array | null;
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export const flagName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const COMMON = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  all: { type: 'boolean' },
  profile: { type: 'string' },
  'idempotency-key': { type: 'string' },
} as const;

const OF_BODY = { input: { type: 'string' } } as const;
const OF_FILE = { file: { type: 'string' } } as const;

// `--data.plan pro` sets a member of `data`: such flags are taken out before the others are parsed.
function membersIn(
  args: readonly string[],
  json: ReadonlySet<string>,
): { readonly rest: string[]; readonly members: [string[], string][] } {
  const rest: string[] = [];
  const members: [string[], string][] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name = '', keys = '', given] = /^--([a-z-]+)\.([^=]+)(?:=(.*))?$/s.exec(args[at] ?? '') ?? [];
    if (!json.has(name)) {
      rest.push(args[at] ?? '');
      continue;
    }
    const value = given ?? args[++at];
    if (value === undefined) throw new UsageError(`--${name}.${keys} needs a value`);
    members.push([[name, ...keys.split('.')], value]);
  }
  return { rest, members };
}

function parsed(args: string[], flags: readonly Flag[], more: Readonly<Record<string, { readonly type: 'string' }>>) {
  const own = Object.fromEntries(flags.map(({ name }) => [flagName(name), { type: 'string' as const, multiple: true }]));
  try {
    return parseArgs({ args, options: { ...own, ...more, ...COMMON }, allowPositionals: true, strict: true });
  } catch (cause) {
    throw new UsageError((cause as Error).message.split('. To specify')[0] ?? '', { cause });
  }
}

const commonOf = (values: Values): Common => ({
  json: values['json'] === true,
  help: values['help'] === true,
  all: values['all'] === true,
  profile: values['profile'] as string | undefined,
  idempotencyKey: values['idempotency-key'] as string | undefined,
});

/** Parses the options of a command that is not an operation's: its own are texts. Throws a `UsageError`. */
export function commonArguments(args: readonly string[], own: readonly string[] = []) {
  const { values, positionals } = parsed([...args], [], Object.fromEntries(own.map((name) => [name, { type: 'string' as const }])));
  return { ...commonOf(values), positionals, own: values as Readonly<Record<string, string | undefined>> };
}

const jsonOf = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UsageError(`${where} is not JSON`, { cause });
  }
};

/** Resolves to a text: itself, for `@name` the content of a file, for `-` standard input; `@@` begins a text with one `@`. */
async function textOf(value: string, terminal: Terminal): Promise<string> {
  if (value === '-') return terminal.input();
  if (value.startsWith('@@') || !value.startsWith('@')) return value.replace(/^@@/, '@');
  return (await bytesOf(value.slice(1), terminal)).toString('utf8');
}

async function bytesOf(name: string, terminal: Terminal): Promise<Buffer> {
  if (name === '-') return Buffer.from(await terminal.input());
  try {
    return await readFile(name);
  } catch (cause) {
    throw new UsageError(`Cannot read ${name}`, { cause });
  }
}

function must(holds: boolean, complaint: string): void {
  if (!holds) throw new UsageError(complaint);
}

const READ: Readonly<Record<Exclude<Flag['type'], 'list'>, (text: string, flag: string) => unknown>> = {
  text: (text) => text,
  json: jsonOf,
  boolean: (text, flag) => {
    must(/^(true|false)$/.test(text), `${flag} is true or false`);
    return text === 'true';
  },
  number: (text, flag) => {
    must(/^-?\d+(\.\d+)?$/.test(text), `${flag} is a number`);
    return Number(text);
  },
};

async function valueOf({ name, type, values }: Flag, given: readonly string[], terminal: Terminal): Promise<unknown> {
  const flag = `--${flagName(name)}`;
  if (type === 'list') return given.map((text) => (text.startsWith('{') ? jsonOf(text, flag) : text));
  must(given.length === 1, `${flag} is given more than once`);
  const text = await textOf(given[0] ?? '', terminal);
  must(!values || values.includes(text), `${flag} is one of: ${(values ?? []).join(', ')}`);
  return READ[type](text, flag);
}

async function membersOf(flags: readonly Flag[], values: Values, terminal: Terminal): Promise<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  for (const flag of flags) {
    const given = values[flagName(flag.name)];
    if (given !== undefined) members[flag.name] = await valueOf(flag, given as string[], terminal);
  }
  return members;
}

// A member's value is JSON where it can be read as that, else text.
function setMember(body: Record<string, unknown>, keys: readonly string[], text: string): void {
  const [last = '', ...above] = keys.toReversed();
  let target = body;
  for (const key of above.reverse()) {
    const there = target[key];
    const next = typeof there === 'object' && there !== null ? (there as Record<string, unknown>) : {};
    Object.defineProperty(target, key, { value: next, enumerable: true, configurable: true, writable: true });
    target = next;
  }
  const read = /^(-?\d+(\.\d+)?|true|false|null|[[{].*)$/s.test(text) ? jsonOf(text, keys.join('.')) : text;
  Object.defineProperty(target, last, { value: read, enumerable: true, configurable: true, writable: true });
}

function checkIds({ words, ids }: Command, positionals: readonly string[]): void {
  const wanted = ids.length === 0 ? 'no arguments' : ids.map((id) => `<${id}>`).join(' ');
  must(positionals.length === ids.length, `${words.join(' ')} takes ${wanted}`);
}

/** Resolves to the body: what `--input` names, then flags, then members of flags. */
async function bodyFrom(
  flags: readonly Flag[],
  values: Values,
  members: readonly (readonly [string[], string])[],
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const names = new Map(flags.map(({ name }) => [flagName(name), name]));
  const input = values['input'] as string | undefined;
  const body: Record<string, unknown> = {};
  if (input !== undefined) Object.assign(body, jsonOf((await bytesOf(input, terminal)).toString('utf8'), '--input'));
  Object.assign(body, await membersOf(flags, values, terminal));
  for (const [[name = '', ...keys], text] of members) setMember(body, [names.get(name) ?? name, ...keys], text);
  return body;
}

/** Parses the arguments of an operation's command. Throws a `UsageError`. */
export async function argumentsOf(command: Command, args: readonly string[], terminal: Terminal): Promise<Asked> {
  const { query, body, upload } = command;
  const ofJson = (body ?? []).filter(({ type }) => type === 'json');
  const { rest, members } = membersIn(args, new Set(ofJson.map(({ name }) => flagName(name))));
  const { values, positionals } = parsed(rest, [...query, ...(body ?? [])], { ...(body && OF_BODY), ...(upload && OF_FILE) });
  const common = commonOf(values);
  if (common.help) return { ...common, ids: [], query: {}, body: null, file: null };
  checkIds(command, positionals);
  const { file } = values as { readonly file?: string };
  must(!upload || file !== undefined, `${command.words.join(' ')} needs --file`);
  return {
    ...common,
    ids: positionals,
    query: await membersOf(query, values, terminal),
    body: body && (await bodyFrom(body, values, members, terminal)),
    file: file === undefined ? null : await bytesOf(file, terminal),
  };
}
