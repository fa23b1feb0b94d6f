import { Lettermill } from '../operations.ts';
import { importCommand } from '../import/command.ts';
import { argumentsOf, commonArguments } from './arguments.ts';
import { call, helpOf } from './call.ts';
import { clientFor } from './client.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { completionFor, completions } from './completion.ts';
import { check } from './domains.ts';
import { listen, tail } from './events.ts';
import { EXIT, UsageError, exitCodeOf, explained } from './failure.ts';
import { mcp } from './mcp.ts';
import { removeProfile, selectProfile, storeProfile, storedProfiles } from './profiles.ts';
import type { Terminal } from './terminal.ts';

interface Special {
  readonly words: readonly string[];
  readonly usage: string;
  readonly help: string;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number | void> | number | void;
}

async function login(args: readonly string[], terminal: Terminal): Promise<void> {
  const { own, profile } = commonArguments(args, ['url']);
  const url = own['url'] ?? terminal.env['LETTERMILL_URL'];
  if (!url || !/^https?:\/\/[^/]/.test(url)) throw new UsageError('login needs --url, such as https://mail.example.com');
  const key = await terminal.askSecret('API key: ');
  if (key === '') throw new UsageError('No key was entered: type it, or pass it on standard input');
  await new Lettermill({ apiKey: key, baseUrl: url }).getSettings({ signal: terminal.signal });
  terminal.error(`Profile ${await storeProfile(terminal.env, { url, key }, profile)} is stored and in use\n`);
}

async function listProfiles(terminal: Terminal): Promise<void> {
  const { current, profiles } = await storedProfiles(terminal.env);
  for (const [name, { url }] of Object.entries(profiles)) terminal.out(`${name === current ? '*' : ' '} ${name}  ${url}\n`);
}

const SPECIAL: readonly Special[] = [
  { words: ['login'], usage: '--url URL [--profile NAME]', help: 'Store an API key; it is not shown while you type', run: login },
  {
    words: ['logout'],
    usage: '[--profile NAME]',
    help: 'Remove a stored key',
    run: async (args, { env }) => ((await removeProfile(env, commonArguments(args).profile)) ? EXIT.done : EXIT.failed),
  },
  { words: ['profiles'], usage: '', help: 'List the stored keys', run: (_args, terminal) => listProfiles(terminal) },
  {
    words: ['use'],
    usage: '<profile>',
    help: 'Switch to another stored key',
    run: (args, { env }) => selectProfile(env, commonArguments(args).positionals[0] ?? ''),
  },
  {
    words: ['import'],
    usage: '<mailchimp|listmonk|resend|sendgrid|buttondown> <file or folder> [--dry-run]',
    help: 'Import contacts, opt-outs and templates from another service',
    run: importCommand,
  },
  {
    words: ['events', 'tail'],
    usage: '[--name NAME] [--json]',
    help: 'Print events as they are received',
    run: tail,
  },
  {
    words: ['webhooks', 'listen'],
    usage: '--forward URL [--name NAME] [--secret SECRET]',
    help: 'Forward new events to a server on your machine, signed',
    run: listen,
  },
  { words: ['mcp'], usage: '[--groups GROUPS] [--profile NAME]', help: 'Connect an agent that speaks MCP over stdio', run: mcp },
  {
    words: ['domains', 'check'],
    usage: '<domain> [--json]',
    help: 'Check the DNS records of a domain again; exits with 1 until it is verified',
    run: check,
  },
  {
    words: ['completion'],
    usage: '<bash|zsh|fish>',
    help: 'Print a shell completion script',
    run: (args, terminal) => terminal.out(completionFor(args[0])),
  },
];

const ALL = [...SPECIAL, ...COMMANDS];

const begins = (args: readonly string[], { words }: Pick<Command, 'words'>): boolean => words.every((word, at) => args[at] === word);

// The longest command wins: `send` is one, and `send-batch` another.
const found = <C extends Pick<Command, 'words'>>(commands: readonly C[], args: readonly string[]): C | undefined =>
  commands.filter((command) => begins(args, command)).sort((a, b) => b.words.length - a.words.length)[0];

const wantsHelp = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

function overview(group?: string): string {
  const listed = ALL.filter(({ words }) => group === undefined || words[0] === group);
  if (group !== undefined) return listed.map(({ words, help }) => `  ${words.join(' ').padEnd(36)}  ${help}\n`).join('');
  const groups = [...new Set(COMMANDS.map(({ words }) => words[0]))].join(', ');
  const special = SPECIAL.map(({ words, usage, help }) => `  lettermill ${words.join(' ')} ${usage}\n      ${help}\n`).join('');
  return [
    'Usage: lettermill <command> [arguments] [flags]\n\n',
    special,
    `\nEvery operation of the API is a command. To list the commands of a group: lettermill <group>.\nGroups: ${groups}\n\n`,
    'Flags of every command: --json, --help, --profile NAME; of list commands also --all\n',
    'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 key refused, 4 not found, 5 invalid, 6 limit reached, 7 no answer\n',
  ].join('');
}

async function runSpecial({ words, usage, help, run: start }: Special, args: readonly string[], terminal: Terminal): Promise<number> {
  if (!wantsHelp(args)) return (await start(args.slice(words.length), terminal)) ?? EXIT.done;
  terminal.out(`${help}\n\nlettermill ${words.join(' ')} ${usage}\n`);
  return EXIT.done;
}

async function runOperation(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  const asked = await argumentsOf(command, args.slice(command.words.length), terminal);
  if (asked.help) terminal.out(helpOf(command));
  else await call(await clientFor(asked.profile, terminal), command, asked, terminal);
  return EXIT.done;
}

/** Returns the overview, or the commands of a group. Throws `UsageError` for a command that does not exist. */
function helpFor(args: readonly string[]): string {
  const [group = '--help'] = args;
  if (['--help', '-h', 'help'].includes(group)) return overview();
  const listed = overview(group);
  if (listed === '') throw new UsageError(`Unknown command ${group}. See lettermill --help`);
  if (args.length > 1 && !wantsHelp(args))
    throw new UsageError(`Unknown command ${args.slice(0, 2).join(' ')}. Use one of:\n${listed.trimEnd()}`);
  return listed;
}

async function dispatched(args: readonly string[], terminal: Terminal): Promise<number> {
  const special = found(SPECIAL, args);
  if (special) return runSpecial(special, args, terminal);
  const command = found(COMMANDS, args);
  if (command) return runOperation(command, args, terminal);
  // What the completion scripts call.
  if (args[0] === 'complete') terminal.out(`${completions(ALL, args.slice(args[1] === '--' ? 2 : 1)).join('\n')}\n`);
  else terminal.out(helpFor(args));
  return EXIT.done;
}

/** Runs a command line. Resolves to its exit code; failures are explained, and nothing is thrown. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatched(args, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return EXIT.done;
    terminal.error(`${explained(error)}\n`);
    return exitCodeOf(error);
  }
}
