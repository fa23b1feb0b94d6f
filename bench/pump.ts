import { setTimeout as sleep } from 'node:timers/promises';
import { acceptSend } from '../src/sending/accept';
import { freePort } from '../test/support/run/servers';
import { contextOf, message, quietCore } from './support/mail';
import { Ground, Measured } from './support/processes';
import { signing } from './support/signing';
import { median, printTable } from './support/table';

const MESSAGES = 30_000;
const ROUNDS = 3;
/** The ledger has one message in doubt for each connection at most, so the number of connections decides how many are recorded together. */
const CONNECTIONS = [100, 400];

interface Plan {
  readonly dkim: boolean;
  readonly connections: number;
}

interface Run {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly peak: number;
}

/** Measures messages per second from the first to the last that the sink accepted. */
async function watch(sink: Measured, before: number): Promise<number> {
  const count = async (): Promise<number> => Number(await sink.ask('count')) - before;
  while ((await count()) === 0) await sleep(2);
  const first = await count();
  const began = performance.now();
  while ((await count()) < MESSAGES) await sleep(5);
  return ((MESSAGES - first) * 1000) / (performance.now() - began);
}

async function accept(ground: Ground): Promise<void> {
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  for (let n = 0; n < MESSAGES; n += 1000) {
    await acceptSend(ctx, { endpoint: 'batch', messages: Array.from({ length: 1000 }, (_, i) => message(n + i)), idempotency: null });
  }
}

/** Measures from the queue to the sink, in a worker process with everything recorded. */
async function ledger(ground: Ground, sink: Measured, { dkim, connections }: Plan): Promise<Run> {
  await accept(ground);
  const before = Number(await sink.ask('count'));
  const worker = await Measured.start(
    'worker/main.ts',
    ['orchestration', 'pumps', 'delivery'],
    { ...ground.env, ...signing(dkim), LOG_LEVEL: 'info', SMTP_CONNECTIONS: String(connections) },
    'Worker is ready',
  );
  const cpuBefore = worker.cpuSeconds();
  const perSecond = await watch(sink, before);
  const run = { perSecond, cpuMicros: ((worker.cpuSeconds() - cpuBefore) * 1e6) / MESSAGES, peak: worker.memory().peak };
  await worker.stop();
  return run;
}

async function bare(sinkPort: number, sink: Measured, { dkim, connections }: Plan): Promise<Run> {
  const before = Number(await sink.ask('count'));
  const child = await Measured.start(
    'bench/bare-pump.ts',
    [String(sinkPort), String(MESSAGES), String(connections), dkim ? 'dkim' : ''],
    {},
    'ready',
  );
  const perSecond = await watch(sink, before);
  while (!child.output.includes('}')) await sleep(5);
  const { cpu, rss } = JSON.parse(/\{.*\}/.exec(child.output)?.[0] ?? '{}') as { cpu: { user: number; system: number }; rss: number };
  await child.stop();
  return { perSecond, cpuMicros: (cpu.user + cpu.system) / MESSAGES, peak: Math.round(rss / 1024 / 1024) };
}

/** Runs both alternately, so that changes of the machine's load affect both. */
async function compare(ground: Ground, sinkPort: number, sink: Measured, plan: Plan): Promise<readonly (readonly string[])[]> {
  const rounds: { bare: Run; ledger: Run }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ bare: await bare(sinkPort, sink, plan), ledger: await ledger(ground, sink, plan) });
  const of = (kind: 'bare' | 'ledger', figure: keyof Run): string => median(rounds.map((round) => round[kind][figure])).toFixed(0);
  const ratio = median(rounds.map((round) => round.ledger.perSecond / round.bare.perSecond)).toFixed(2);
  return [
    [`bare loop, ${plan.connections} connections`, of('bare', 'perSecond'), of('bare', 'cpuMicros'), of('bare', 'peak'), '1.00'],
    ['worker with ledger and events', of('ledger', 'perSecond'), of('ledger', 'cpuMicros'), of('ledger', 'peak'), ratio],
  ];
}

/** Measures queue to sink with all records, alternating with a loop over the same rendering, MIME and SMTP client without records, with and without DKIM. */
export async function run(): Promise<void> {
  const sinkPort = await freePort();
  const ground = await Ground.prepare({
    NODE_ENV: 'development',
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SMTP_URL: `smtp://127.0.0.1:${sinkPort}`,
  });
  const sink = await Measured.start('bench/sink.ts', [String(sinkPort)], {}, 'listening');
  try {
    for (const dkim of [false, true]) {
      const rows: (readonly string[])[] = [];
      for (const connections of CONNECTIONS) rows.push(...(await compare(ground, sinkPort, sink, { dkim, connections })));
      printTable(
        `pump ${dkim ? 'with 2,048-bit RSA DKIM' : 'without RSA'}: ${MESSAGES} messages of 3 KB, ${ROUNDS} rounds, medians`,
        ['what', 'messages/s', 'CPU us/message', 'peak MiB', 'against bare'],
        rows,
      );
    }
  } finally {
    await sink.stop();
    await ground.clear();
  }
}
