import { freePort } from '../test/support/run/servers';
import { load } from './support/load';
import type { Load, LoadMode } from './support/load';
import { optionsOf, wholeNumber } from './support/options';
import { createProject } from '../src/records/projects';
import { addVerifiedDomain } from './support/domain';
import { SENDER } from './support/message';
import { Ground, Measured, cpuSeconds } from './support/processes';
import { median, printTable } from './support/table';

const ROUNDS = 3;
const SECONDS = 8;
const PROCESSES = 2;
/** A process needs about this long under load until its hot code is compiled. */
const WARM_SECONDS = 20;
/** Shared among the processes: as many callers wait for answers however many processes there are. */
const CONNECTIONS = 96;

const MODES = { '/v1/send': 'single', '/v1/events': 'event' } as const satisfies Readonly<Record<string, LoadMode>>;

type Path = keyof typeof MODES;

interface Sender {
  readonly key: string;
  readonly from: string;
}

/** Gives a project a monthly limit that is near: what processes accept then is counted exactly. */
async function limit(url: string, { key }: Sender, messages: number): Promise<void> {
  const response = await fetch(`${url}/v1/billing`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ monthlyLimit: messages }),
  });
  if (!response.ok) throw new Error(`The limit was not set: ${response.status}`);
}

/** Resolves to the first project and as many others as are wanted, each with a domain of its own. */
async function sendersOf(ground: Ground, projects: number): Promise<readonly Sender[]> {
  const senders: Sender[] = [{ key: ground.keys.secret, from: SENDER }];
  while (senders.length < projects) {
    const { projectId, secret } = await createProject('Another');
    const domain = `project-${senders.length}.test`;
    await addVerifiedDomain(ground.env, projectId, domain);
    senders.push({ key: secret, from: `hello@${domain}` });
  }
  return senders;
}

/** The throughput of several processes in one round. */
interface Together {
  readonly perSecond: number;
  readonly p97: number;
  /** The slowest process's rate as a share of the fastest one's. */
  readonly evenness: number;
  /** Processor time of a request, in microseconds. */
  readonly api: number;
  readonly mongod: number;
}

const rateOf = (loads: readonly Load[]): number => loads.reduce((sum, { perSecond }) => sum + perSecond, 0);

/** Sums up the loads of each process, one for each project. */
function together(loads: readonly (readonly Load[])[]): Omit<Together, 'api' | 'mongod'> {
  const rates = loads.map(rateOf);
  return {
    perSecond: rateOf(loads.flat()),
    p97: Math.max(...loads.flat().map(({ p97 }) => p97)),
    evenness: Math.min(...rates) / Math.max(...rates),
  };
}

interface Round {
  readonly one: Together;
  readonly all: Together;
}

function rowOf(path: string, rounds: readonly Round[]): readonly (string | number)[] {
  const of = (which: keyof Round, figure: keyof Together): number => median(rounds.map((round) => round[which][figure]));
  const ratio = (figure: keyof Together): string => median(rounds.map(({ one, all }) => all[figure] / one[figure])).toFixed(2);
  const both = (figure: 'api' | 'mongod'): string => `${of('one', figure).toFixed(0)} -> ${of('all', figure).toFixed(0)}`;
  return [
    `POST ${path}`,
    of('one', 'perSecond').toFixed(0),
    of('all', 'perSecond').toFixed(0),
    ratio('perSecond'),
    of('one', 'p97'),
    of('all', 'p97'),
    ratio('p97'),
    of('all', 'evenness').toFixed(2),
    both('api'),
    both('mongod'),
  ];
}

const HEAD = ['rate of one', 'rate of all', 'ratio', 'p97.5 of one, ms', 'of all', 'ratio', 'slowest ÷ fastest', 'api µs', 'mongod µs'];

/** Returns whether options ask for several processes. */
export const isOverProcesses = (args: readonly string[]): boolean => args.some((arg) => arg.startsWith('--processes'));

/**
 * Measures requests over one API process and over `--processes`, in turns, on the same servers; of one project, or of `--projects` at once, each
 * with a monthly limit of `--cap` messages. A request that fails ends the benchmark.
 */
export async function overProcesses(path: Path, args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const given = optionsOf(args, { rounds: text, seconds: text, processes: text, projects: text, cap: text });
  const count = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const seconds = wholeNumber('--seconds', given.seconds, SECONDS, 600);
  const processes = wholeNumber('--processes', given.processes, PROCESSES, 16);
  const projects = wholeNumber('--projects', given.projects, 1, 16);
  const cap = given.cap === undefined ? null : wholeNumber('--cap', given.cap, 0, 1_000_000);
  const ground = await Ground.prepare({ NODE_ENV: 'development', DEV_VERIFIED_DOMAINS: 'hello.test' });
  const apis: Measured[] = [];
  const urls: string[] = [];
  let senders: readonly Sender[] = [];
  const spent = () => ({ api: apis.reduce((sum, api) => sum + api.cpuSeconds(), 0), mongod: cpuSeconds(ground.mongod.pid) });
  const over = async (some: readonly string[], length = seconds): Promise<Together> => {
    const before = spent();
    const share = Math.ceil(CONNECTIONS / some.length / projects);
    const at = (url: string) => Promise.all(senders.map(({ key, from }) => load(url + path, key, MODES[path], length, share, from)));
    const done = together(await Promise.all(some.map(at)));
    const after = spent();
    const each = (part: 'api' | 'mongod'): number => ((after[part] - before[part]) * 1e6) / (done.perSecond * length);
    return { ...done, api: each('api'), mongod: each('mongod') };
  };
  try {
    senders = await sendersOf(ground, projects);
    for (const port of await Promise.all(Array.from({ length: processes }, freePort))) {
      urls.push(`http://127.0.0.1:${port}`);
      apis.push(await Measured.start('api/main.ts', [], { ...ground.env, PORT: String(port) }, `${urls.at(-1)}/v1/health`));
    }
    if (cap !== null) for (const sender of senders) await limit(urls[0] as string, sender, cap);
    await over(urls, WARM_SECONDS);
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) rounds.push({ one: await over(urls.slice(0, 1)), all: await over(urls) });
    const title = `over processes: ${projects} project(s), ${CONNECTIONS} connections in all, ${count} rounds of ${seconds} s, medians; ratios are taken in each round`;
    printTable(title, [`over 1 and ${processes} processes`, ...HEAD], [rowOf(path, rounds)]);
  } finally {
    for (const api of apis) await api.stop();
    await ground.clear();
  }
}
