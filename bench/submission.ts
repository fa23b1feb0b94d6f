import { freePort } from '../test/support/run/servers';
import { load, submissionLoad } from './support/load';
import type { Load } from './support/load';
import { optionsOf, wholeNumber } from './support/options';
import { Ground, Measured } from './support/processes';
import { median, printTable } from './support/table';

const ROUNDS = 3;
const SECONDS = 8;

/** A load, and what its process took for a message. */
interface Side extends Load {
  readonly cpuMs: number;
}

interface Round {
  /** Messages of one content, with their values. */
  readonly shared: Side;
  /** Messages that each have their own content, as over SMTP. */
  readonly api: Side;
  readonly smtp: Side;
}

async function underLoad(process: Measured, seconds: number, put: () => Promise<Load>): Promise<Side> {
  const before = process.cpuSeconds();
  const result = await put();
  return { ...result, cpuMs: ((process.cpuSeconds() - before) * 1_000) / (result.perSecond * seconds) };
}

function report(rounds: readonly Round[], seconds: number, peak: Readonly<Record<'api' | 'smtp', number>>): void {
  const row = (what: string, of: keyof Round): readonly (string | number)[] => {
    const ratio = median(rounds.map((round) => round[of].perSecond / round.api.perSecond)).toFixed(2);
    const figure = (name: 'perSecond' | 'p50' | 'p99' | 'cpuMs'): number => median(rounds.map((round) => round[of][name]));
    return [
      what,
      figure('perSecond').toFixed(0),
      figure('p50'),
      figure('p99'),
      figure('cpuMs').toFixed(2),
      ratio,
      peak[of === 'smtp' ? of : 'api'],
    ];
  };
  printTable(
    `submission: 50 connections, ${rounds.length} rounds of ${seconds} s, medians; the ratio is taken in each round`,
    ['what', 'messages/s', 'p50 ms', 'p99 ms', 'CPU ms a message', 'against own content', 'peak MiB'],
    [row('POST /v1/send, one content with values', 'shared'), row('POST /v1/send, own content', 'api'), row('SMTP submission', 'smtp')],
  );
}

/** Measures SMTP submission alternating with `POST /v1/send`: one process each, on the same servers. */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { rounds: { type: 'string' }, seconds: { type: 'string' } });
  const count = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const seconds = wholeNumber('--seconds', given.seconds, SECONDS, 600);
  const [port, smtpPort, inboundPort] = [await freePort(), await freePort(), await freePort()];
  const ground = await Ground.prepare({ NODE_ENV: 'development', PORT: String(port), DEV_VERIFIED_DOMAINS: 'hello.test' });
  const ports = { INBOUND_SMTP_PORT: String(inboundPort), SUBMISSION_PORT: String(smtpPort), INBOUND_TLS_SELF_SIGNED: 'true' };
  const api = await Measured.start('api/main.ts', [], ground.env, `http://127.0.0.1:${port}/v1/health`);
  const smtp = await Measured.start(
    'src/processes/inbound-smtp/main.ts',
    [],
    { ...ground.env, ...ports, LOG_LEVEL: 'info' },
    'is listening',
  );
  const key = ground.keys.secret;
  const url = `http://127.0.0.1:${port}/v1/send`;
  try {
    await load(url, key, 'single', 4);
    await submissionLoad(smtpPort, key, 4);
    const rounds: Round[] = [];
    for (let round = 0; round < count; round++) {
      rounds.push({
        shared: await underLoad(api, seconds, () => load(url, key, 'single', seconds)),
        api: await underLoad(api, seconds, () => load(url, key, 'own', seconds)),
        smtp: await underLoad(smtp, seconds, () => submissionLoad(smtpPort, key, seconds)),
      });
    }
    report(rounds, seconds, { api: api.memory().peak, smtp: smtp.memory().peak });
  } finally {
    await Promise.all([api.stop(), smtp.stop()]);
    await ground.clear();
  }
}
