import { setTimeout as sleep } from 'node:timers/promises';
import { acceptSend } from '../src/send/service';
import { freePort } from '../test/support/servers';
import { contextOf, message, quietCore } from './support/mail';
import { Ground, Measured } from './support/processes';
import { printTable } from './support/table';

const WORKERS = [1, 2, 4, 8];
const CONNECTIONS = 20;
const LATENCY_MS = 200;
/** Of each worker: some 12 seconds of mail. */
const MESSAGES_EACH = 1_200;
const BATCH = 200;
const LONGEST_MS = 120_000;

async function accept(ground: Ground, messages: number): Promise<void> {
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  for (let n = 0; n < messages; n += BATCH) {
    await acceptSend(ctx, { endpoint: 'batch', messages: Array.from({ length: BATCH }, (_, i) => message(n + i)), idempotency: null });
  }
}

/** Messages per second from the first to the last that the mail server took. */
async function watch(sink: Measured, before: number, messages: number): Promise<number> {
  const count = async (): Promise<number> => Number(await sink.ask('count')) - before;
  const deadline = performance.now() + LONGEST_MS;
  while ((await count()) === 0) await sleep(5);
  const [first, began] = [await count(), performance.now()];
  let sent = first;
  while (sent < messages && performance.now() < deadline) {
    await sleep(20);
    sent = await count();
  }
  return ((sent - first) * 1000) / (performance.now() - began);
}

async function rate(ground: Ground, sink: Measured, workers: number): Promise<number> {
  const env = { ...ground.env, LOG_LEVEL: 'info', SMTP_CONNECTIONS: String(CONNECTIONS) };
  const start = (queue: string): Promise<Measured> => Measured.start('worker/main.ts', [queue], env, 'Worker is ready');
  const delivering: Measured[] = [];
  for (let n = 0; n < workers; n++) delivering.push(await start('delivery'));
  const before = Number(await sink.ask('count'));
  await accept(ground, workers * MESSAGES_EACH);
  // The sweep finds mail whose wake-up was lost.
  const pumps = await start('orchestration');
  try {
    return await watch(sink, before, workers * MESSAGES_EACH);
  } finally {
    await Promise.all([pumps, ...delivering].map((worker) => worker.stop()));
  }
}

/** One project's transactional mail over one, two, four and eight delivery workers, to a mail server that takes its time: not the processor is the limit. */
export async function run(): Promise<void> {
  const sinkPort = await freePort();
  const ground = await Ground.prepare({
    NODE_ENV: 'development',
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SMTP_URL: `smtp://127.0.0.1:${sinkPort}`,
  });
  const sink = await Measured.start('bench/sink.ts', [String(sinkPort), String(LATENCY_MS)], {}, 'listening');
  try {
    const rows: string[][] = [];
    let one = 0;
    for (const workers of WORKERS) {
      const perSecond = await rate(ground, sink, workers);
      if (workers === 1) one = perSecond;
      rows.push([
        String(workers),
        perSecond.toFixed(0),
        String((workers * CONNECTIONS * 1000) / LATENCY_MS),
        (perSecond / one / workers).toFixed(2),
      ]);
    }
    printTable(
      `scale: one project's mail, ${CONNECTIONS} connections a worker, ${LATENCY_MS} ms a message`,
      ['delivery workers', 'messages/s', 'at most', 'of one worker, each'],
      rows,
    );
  } finally {
    await sink.stop();
    await ground.clear();
  }
}
