import { freePort } from '../test/support/run/servers';
import { load } from './support/load';
import type { Load, LoadMode } from './support/load';
import { optionsOf, wholeNumber } from './support/options';
import { Ground, Measured, cpuSeconds } from './support/processes';
import { median, printTable } from './support/table';

const ROUNDS = 3;
const SECONDS = 8;
const PROCESSES = 2;
/** Shared among the processes: as many callers wait for answers however many processes there are. */
const CONNECTIONS = 96;

const KINDS: readonly (readonly [LoadMode, string])[] = [
  ['single', '/v1/send'],
  ['event', '/v1/events'],
];

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

function together(loads: readonly Load[]): Omit<Together, 'api' | 'mongod'> {
  const rates = loads.map(({ perSecond }) => perSecond);
  return {
    perSecond: rates.reduce((sum, rate) => sum + rate, 0),
    p97: Math.max(...loads.map(({ p97 }) => p97)),
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

/** Measures requests of one project over one API process and over several, in turns, on the same servers. A request that fails ends the benchmark. */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { rounds: { type: 'string' }, seconds: { type: 'string' }, processes: { type: 'string' } });
  const count = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const seconds = wholeNumber('--seconds', given.seconds, SECONDS, 600);
  const processes = wholeNumber('--processes', given.processes, PROCESSES, 16);
  const ground = await Ground.prepare({ NODE_ENV: 'development', DEV_VERIFIED_DOMAINS: 'hello.test' });
  const apis: Measured[] = [];
  const urls: string[] = [];
  for (const port of await Promise.all(Array.from({ length: processes }, freePort))) {
    urls.push(`http://127.0.0.1:${port}`);
    apis.push(await Measured.start('api/main.ts', [], { ...ground.env, PORT: String(port) }, `${urls.at(-1)}/v1/health`));
  }
  const spent = () => ({ api: apis.reduce((sum, api) => sum + api.cpuSeconds(), 0), mongod: cpuSeconds(ground.mongod.pid) });
  const over = async (some: readonly string[], [mode, path]: (typeof KINDS)[number], length = seconds): Promise<Together> => {
    const before = spent();
    const share = Math.ceil(CONNECTIONS / some.length);
    const done = together(await Promise.all(some.map((url) => load(url + path, ground.keys.secret, mode, length, share))));
    const after = spent();
    const each = (part: 'api' | 'mongod'): number => ((after[part] - before[part]) * 1e6) / (done.perSecond * length);
    return { ...done, api: each('api'), mongod: each('mongod') };
  };
  try {
    const rows: (readonly (string | number)[])[] = [];
    for (const kind of KINDS) {
      await over(urls, kind, 3);
      const rounds: Round[] = [];
      for (let round = 0; round < count; round++) rounds.push({ one: await over(urls.slice(0, 1), kind), all: await over(urls, kind) });
      rows.push(rowOf(kind[1], rounds));
    }
    const title = `api-processes: one project, ${CONNECTIONS} connections in all, ${count} rounds of ${seconds} s, medians; ratios are taken in each round`;
    printTable(title, [`over 1 and ${processes} processes`, ...HEAD], rows);
  } finally {
    for (const api of apis) await api.stop();
    await ground.clear();
  }
}
