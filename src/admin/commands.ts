import type { Config } from '../config';
import { AppError } from '../errors';
import { KEY_KINDS, PLANS } from '../projects/model';
import type { KeyKind, Plan, Project } from '../projects/model';
import {
  createKey,
  createProject,
  disableProject,
  enableProject,
  getProject,
  listProjects,
  resetReputation,
  revokeKey,
  setPlan,
} from '../projects/service';

/** A command that was asked for in a way that cannot be carried out. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

type Limits = Pick<Config, 'MAX_KEYS'>;

interface Command {
  readonly words: readonly [string, string];
  readonly parameters: readonly string[];
  readonly meaning: string;
  /** Checks the arguments without touching the database; throws `UsageError`. */
  readonly check?: (args: readonly string[]) => void;
  readonly run: (args: readonly string[], limits: Limits) => Promise<unknown>;
}

const oneOf = (what: string, allowed: readonly string[], value: string | undefined): void => {
  if (value === undefined || !allowed.includes(value)) throw new UsageError(`${what} must be one of ${allowed.join(', ')}`);
};

const isPrefix = ([prefix = '']: readonly string[]): void => {
  if (prefix.length < 12) throw new UsageError('Give at least 12 characters of the key');
};

const summary = ({ _id, name, plan, createdAt, disabledAt, reputation }: Project) => ({
  projectId: _id,
  name,
  plan,
  createdAt,
  disabledAt,
  reputation: reputation.state,
});

const listKeys = async (projectId: string) =>
  (await getProject(projectId)).keys.map(({ kind, prefix, createdAt, revokedAt }) => ({ kind, prefix, createdAt, revokedAt }));

/** A change of a project, answered with the project as it is then. */
const changing =
  (change: (projectId: string, ...rest: readonly string[]) => Promise<void>) =>
  async ([projectId = '', ...rest]: readonly string[]) => {
    await change(projectId, ...rest);
    return summary(await getProject(projectId));
  };

const COMMANDS: readonly Command[] = [
  {
    words: ['projects', 'create'],
    parameters: ['<name>'],
    meaning: 'make a project; its keys are shown this once',
    check: ([name = '']) => {
      if (name.trim() === '' || name.length > 200) throw new UsageError('A project has a name of 1 to 200 characters');
    },
    run: ([name = '']) => createProject(name),
  },
  { words: ['projects', 'list'], parameters: [], meaning: 'all projects', run: async () => (await listProjects()).map(summary) },
  {
    words: ['projects', 'disable'],
    parameters: ['<projectId>'],
    meaning: 'skip all its sends; reading works on',
    run: changing(disableProject),
  },
  { words: ['projects', 'enable'], parameters: ['<projectId>'], meaning: 'take its requests again', run: changing(enableProject) },
  {
    words: ['projects', 'plan'],
    parameters: ['<projectId>', `<${PLANS.join('|')}>`],
    meaning: 'put it on a plan',
    check: ([, plan]) => oneOf('The plan', PLANS, plan),
    run: changing((projectId, plan) => setPlan(projectId, plan as Plan)),
  },
  {
    words: ['projects', 'reputation-reset'],
    parameters: ['<projectId>'],
    meaning: 'forget the bounces and complaints so far',
    run: changing(resetReputation),
  },
  {
    words: ['keys', 'create'],
    parameters: ['<projectId>', `<${KEY_KINDS.join('|')}>`],
    meaning: 'add a key; it is shown this once',
    check: ([, kind]) => oneOf('The kind of key', KEY_KINDS, kind),
    run: ([projectId = '', kind], { MAX_KEYS }) => createKey(projectId, kind as KeyKind, MAX_KEYS),
  },
  {
    words: ['keys', 'list'],
    parameters: ['<projectId>'],
    meaning: "a project's keys, by their beginnings",
    run: ([projectId = '']) => listKeys(projectId),
  },
  {
    words: ['keys', 'revoke'],
    parameters: ['<key prefix>'],
    meaning: 'revoke the one key that begins so (at least 12 characters)',
    check: isPrefix,
    run: ([prefix = '']) => revokeKey(prefix),
  },
];

const rows = COMMANDS.map(({ words, parameters, meaning }) => [[...words, ...parameters].join(' '), meaning] as const);
const width = Math.max(...rows.map(([call]) => call.length));

/** What can be asked for. */
export const USAGE = `Usage: npm run admin -- <command> [--json]\n\n${rows.map(([call, meaning]) => `  ${call.padEnd(width)}  ${meaning}\n`).join('')}`;

/** What was asked for, understood and checked but not yet done. */
export interface Request {
  readonly json: boolean;
  /** Resolves with a JSON value. Rejects with `AppError` when the database does not allow it. */
  readonly run: (limits: Limits) => Promise<unknown>;
}

/** Understands the command line. Throws `UsageError`. */
export function parseRequest(argv: readonly string[]): Request {
  const json = argv.includes('--json');
  const [room, verb, ...args] = argv.filter((arg) => arg !== '--json');
  const command = COMMANDS.find(({ words }) => words[0] === room && words[1] === verb);
  if (!command) throw new UsageError(room === undefined ? 'Which command?' : `There is no command "${[room, verb].join(' ').trim()}"`);
  const call = [...command.words, ...command.parameters].join(' ');
  if (args.length !== command.parameters.length) throw new UsageError(`The command is: ${call}`);
  command.check?.(args);
  return { json, run: (limits) => command.run(args, limits) };
}

/** What an error tells the person at the terminal. */
export const explain = (error: unknown): string =>
  error instanceof AppError || error instanceof UsageError
    ? error.message
    : `It failed: ${error instanceof Error ? error.message : String(error)}`;
