import { freePort } from '../test/support/run/servers';
import { load } from './support/load';
import type { Load } from './support/load';
import { optionsOf, wholeNumber } from './support/options';
import { Ground, Measured } from './support/processes';
import { median, printTable } from './support/table';

const ROUNDS = 3;
const SECONDS = 8;
const BATCH = 1_000;

interface Round {
  readonly bare: Load;
  readonly single: Load;
  readonly batch: Load;
}

function report(rounds: readonly Round[], seconds: number, peak: { readonly api: number; readonly bare: number }): void {
  const of = (kind: 'bare' | 'single' | 'batch', figure: 'perSecond' | 'p50' | 'p99'): number =>
    median(rounds.map((round) => round[kind][figure]));
  const ratio = (kind: 'single' | 'batch', messages: number): string =>
    median(rounds.map((round) => (round[kind].perSecond * messages) / round.bare.perSecond)).toFixed(2);
  printTable(
    `send-api: 50 connections (batches: 4 connections, ${BATCH} messages each), ${rounds.length} rounds of ${seconds} s, medians; the ratio is taken in each round`,
    ['what', 'requests/s', 'messages/s', 'p50 ms', 'p99 ms', 'messages against bare', 'peak MiB'],
    [
      [
        'bare Express + insert',
        of('bare', 'perSecond').toFixed(0),
        of('bare', 'perSecond').toFixed(0),
        of('bare', 'p50'),
        of('bare', 'p99'),
        '1.00',
        peak.bare,
      ],
      [
        'POST /v1/send',
        of('single', 'perSecond').toFixed(0),
        of('single', 'perSecond').toFixed(0),
        of('single', 'p50'),
        of('single', 'p99'),
        ratio('single', 1),
        peak.api,
      ],
      [
        'POST /v1/send/batch',
        of('batch', 'perSecond').toFixed(1),
        (of('batch', 'perSecond') * BATCH).toFixed(0),
        of('batch', 'p50'),
        of('batch', 'p99'),
        ratio('batch', BATCH),
        peak.api,
      ],
    ],
  );
}

/** Measures `POST /v1/send` and `/v1/send/batch` alternating with a bare Express with one insert, on the same servers. */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { rounds: { type: 'string' }, seconds: { type: 'string' } });
  const count = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const seconds = wholeNumber('--seconds', given.seconds, SECONDS, 600);
  const [port, barePort] = await Promise.all([freePort(), freePort()]);
  const ground = await Ground.prepare({ NODE_ENV: 'development', PORT: String(port), DEV_VERIFIED_DOMAINS: 'hello.test' });
  const api = await Measured.start('api/main.ts', [], ground.env, `http://127.0.0.1:${port}/v1/health`);
  const bare = await Measured.start('bench/bare-api.ts', [ground.env['MONGODB_URI'] ?? '', String(barePort)], {}, 'listening');
  const key = ground.keys.secret;
  const own = `http://127.0.0.1:${port}`;
  const yardstick = `http://127.0.0.1:${barePort}`;
  try {
    await load(`${own}/v1/send`, key, 'single', 4);
    await load(`${yardstick}/v1/send`, key, 'single', 2);
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) {
      rounds.push({
        bare: await load(`${yardstick}/v1/send`, key, 'single', seconds),
        single: await load(`${own}/v1/send`, key, 'single', seconds),
        batch: await load(`${own}/v1/send/batch`, key, 'batch', seconds),
      });
    }
    report(rounds, seconds, { api: api.memory().peak, bare: bare.memory().peak });
  } finally {
    await Promise.all([api.stop(), bare.stop()]);
    await ground.clear();
  }
}
