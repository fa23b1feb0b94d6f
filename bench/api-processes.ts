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

/** What processes did together in one round. */
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

/** Measures requests of one project over one API process and over several, in turns, on the same servers. A request that fails ends the benchmark. */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { rounds: { type: 'string' }, seconds: { type: 'string' }, processes: { type: 'string' } });
  const count = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const seconds = wholeNumber('--seconds', given.seconds, SECONDS, 600);
  const processes = wholeNumber('--processes', given.processes, PROCESSES, 16);
  const ground = await Ground.prepare({ NODE_ENV: 'development', DEV_VERIFIED_DOMAINS: 'hello.test' });
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const apis: Measured[] = [];
  for (const port of ports) {
    apis.push(await Measured.start('api/main.ts', [], { ...ground.env, PORT: String(port) }, `http://127.0.0.1:${port}/v1/health`));
  }
  const apiSeconds = (): number => apis.reduce((sum, api) => sum + api.cpuSeconds(), 0);
  const over = async (some: readonly number[], mode: LoadMode, path: string, length = seconds): Promise<Together> => {
    const share = Math.ceil(CONNECTIONS / some.length);
    const loads = some.map((port) => load(`http://127.0.0.1:${port}${path}`, ground.keys.secret, mode, length, share));
    const before = [apiSeconds(), cpuSeconds(ground.mongod.pid)] as const;
    const done = together(await Promise.all(loads));
    const each = (from: number, to: number): number => ((to - from) * 1e6) / (done.perSecond * length);
    return { ...done, api: each(before[0], apiSeconds()), mongod: each(before[1], cpuSeconds(ground.mongod.pid)) };
  };
  try {
    const rows: (readonly (string | number)[])[] = [];
    for (const [mode, path] of KINDS) {
      await over(ports, mode, path, 3);
      const rounds: { readonly one: Together; readonly all: Together }[] = [];
      for (let round = 0; round < count; round++) {
        rounds.push({ one: await over(ports.slice(0, 1), mode, path), all: await over(ports, mode, path) });
      }
      const of = (which: 'one' | 'all', figure: keyof Together): number => median(rounds.map((round) => round[which][figure]));
      const ratio = (figure: keyof Together): string => median(rounds.map(({ one, all }) => all[figure] / one[figure])).toFixed(2);
      rows.push([
        `POST ${path}`,
        of('one', 'perSecond').toFixed(0),
        of('all', 'perSecond').toFixed(0),
        ratio('perSecond'),
        of('one', 'p97'),
        of('all', 'p97'),
        ratio('p97'),
        of('all', 'evenness').toFixed(2),
        `${of('one', 'api').toFixed(0)} -> ${of('all', 'api').toFixed(0)}`,
        `${of('one', 'mongod').toFixed(0)} -> ${of('all', 'mongod').toFixed(0)}`,
      ]);
    }
    printTable(
      `api-processes: one project, ${CONNECTIONS} connections in all, ${count} rounds of ${seconds} s, medians; ratios are taken in each round`,
      [
        'what',
        'one process /s',
        `${processes} /s`,
        'ratio',
        'p97.5 ms',
        `of ${processes}`,
        'ratio',
        'slowest ÷ fastest',
        'api µs',
        'mongod µs',
      ],
      rows,
    );
  } finally {
    for (const api of apis) await api.stop();
    await ground.clear();
  }
}
