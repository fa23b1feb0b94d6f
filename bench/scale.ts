import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { oldestDue } from '../src/records/emails';
import { acceptSend } from '../src/sending/accept';
import { freePort } from '../test/support/run/servers';
import { scaleCampaign } from './scale-campaign';
import { contextOf, message, quietCore } from './support/mail';
import { BadOption, optionsOf, wholeNumber } from './support/options';
import { Ground, Measured, busySeconds, cpuSeconds, writtenBytes } from './support/processes';
import { printTable } from './support/table';

const WORKERS = '1,2,4';
const LATENCIES = '20,100';
const CONNECTIONS = 20;
/** For each worker. */
const MESSAGES_EACH = 3_000;
const BATCH = 200;
const POLL_MS = 50;
/** The pause between two queries of the queue's age, which cost database time. */
const LOOK_MS = 1_000;
const LONGEST_MS = 300_000;
const ASK_MS = 5_000;

interface Plan {
  readonly latencyMs: number;
  readonly workers: number;
  readonly messages: number;
  readonly connections: number;
}

/** The use of a run so far: processor seconds, commands, bytes. */
interface Use {
  readonly worker: number;
  readonly mongod: number;
  readonly temporal: number;
  readonly busy: number;
  readonly commands: number;
  readonly written: number;
}

interface Run extends Use {
  readonly seconds: number;
  /** Number of messages sent while the run was watched. */
  readonly sent: number;
  readonly perSecond: number;
  /** For how long the oldest due message waited, at most, in seconds. */
  readonly oldest: number;
}

/** Parses whole numbers with commas between them. */
function numbersOf(name: string, text: string, most: number): readonly number[] {
  return text.split(',').map((part) => wholeNumber(name, part.trim(), 0, most));
}

async function accept(ground: Ground, messages: number): Promise<void> {
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  for (let n = 0; n < messages; n += BATCH) {
    const size = Math.min(BATCH, messages - n);
    await acceptSend(ctx, { endpoint: 'batch', messages: Array.from({ length: size }, (_, i) => message(n + i)), idempotency: null });
  }
}

interface Bytes {
  readonly data: number;
  readonly indexes: number;
}

async function storedBytes(): Promise<Bytes> {
  // The reported sizes of indexes are as of the last checkpoint.
  await mongoose.connection.db?.admin().command({ fsync: 1 });
  const { dataSize, indexSize } = (await mongoose.connection.db?.stats()) ?? {};
  return { data: Number(dataSize), indexes: Number(indexSize) };
}

async function useOf(ground: Ground, workers: readonly Measured[]): Promise<Use> {
  const { opcounters } = (await mongoose.connection.db?.admin().serverStatus()) as { opcounters: Record<string, number> };
  return {
    worker: workers.reduce((sum, worker) => sum + worker.cpuSeconds(), 0),
    mongod: cpuSeconds(ground.mongod.pid),
    temporal: cpuSeconds(ground.temporal.pid),
    busy: busySeconds(),
    commands: ['insert', 'query', 'update', 'delete', 'getmore', 'command'].reduce((sum, name) => sum + Number(opcounters[name] ?? 0), 0),
    written: writtenBytes(ground.mongod.pid),
  };
}

const difference = (after: Use, before: Use): Use =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, Number(value) - before[name as keyof Use]])) as unknown as Use;

/** Measures from the first to the last message that the mail server accepted. Throws when that takes too long. */
async function watch(sink: Measured, before: number, messages: number, use: () => Promise<Use>): Promise<Run> {
  const deadline = performance.now() + LONGEST_MS;
  const count = async (): Promise<number> => Number(await sink.ask('count')) - before;
  const refuseWhenLate = (sent: number): void => {
    if (performance.now() > deadline) throw new Error(`${sent} of ${messages} messages were sent within ${LONGEST_MS / 1_000} seconds`);
  };
  let sent = await count();
  for (; sent === 0; sent = await count()) {
    refuseWhenLate(sent);
    await sleep(POLL_MS);
  }
  const [first, began, used] = [sent, performance.now(), await use()];
  let [oldest, lookedAt] = [0, 0];
  for (; sent < messages; sent = await count()) {
    refuseWhenLate(sent);
    if (performance.now() - lookedAt > LOOK_MS) {
      lookedAt = performance.now();
      oldest = Math.max(oldest, await oldestSeconds());
    }
    await sleep(POLL_MS);
  }
  const seconds = (performance.now() - began) / 1_000;
  return { seconds, sent: sent - first, perSecond: (sent - first) / seconds, oldest, ...difference(await use(), used) };
}

async function oldestSeconds(): Promise<number> {
  const due = (await oldestDue(ASK_MS)).flatMap((at) => at ?? []);
  return Math.max(0, ...due.map((at) => (Date.now() - at.getTime()) / 1_000));
}

/** Runs once. All workers start before there is mail; the pumps start when mail exists. */
async function runOnce(ground: Ground, sink: Measured, { workers, messages, connections }: Plan): Promise<Run> {
  const env = { ...ground.env, LOG_LEVEL: 'info', SMTP_CONNECTIONS: String(connections) };
  const started: Measured[] = [];
  try {
    for (let n = 0; n < workers; n++) started.push(await Measured.start('worker/main.ts', ['delivery'], env, 'Worker is ready'));
    await accept(ground, workers * messages);
    const before = Number(await sink.ask('count'));
    // The sweep finds mail whose wake-up was lost.
    started.push(await Measured.start('worker/main.ts', ['orchestration', 'pumps'], env, 'Worker is ready'));
    return await watch(sink, before, workers * messages, () => useOf(ground, started));
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
  }
}

const HEAD = [
  'latency ms',
  'delivery workers',
  'messages/s',
  'at most',
  'of one worker, each',
  'oldest due s',
  'worker µs',
  'mongod µs',
  'Temporal µs',
  'mongod, cores',
  'commands/message',
  'bytes written/message',
  'sink and others, cores',
];

function rowOf({ latencyMs, workers, connections }: Plan, run: Run, one: number): readonly string[] {
  const micros = (seconds: number): string => ((seconds * 1e6) / run.sent).toFixed(0);
  const own = run.worker + run.mongod + run.temporal;
  return [
    ...[latencyMs, workers, run.perSecond.toFixed(0), (workers * connections * 1_000) / latencyMs].map(String),
    (run.perSecond / one / workers).toFixed(2),
    run.oldest.toFixed(1),
    micros(run.worker),
    micros(run.mongod),
    micros(run.temporal),
    (run.mongod / run.seconds).toFixed(2),
    (run.commands / run.sent).toFixed(2),
    (run.written / run.sent).toFixed(0),
    Math.max(0, (run.busy - own) / run.seconds).toFixed(2),
  ];
}

/** Runs each number of workers against a mail server of that latency; resolves to the rows, and to how many messages were sent. */
async function runLatency(ground: Ground, sinkPort: number, plans: readonly Plan[]): Promise<readonly (readonly string[])[]> {
  const sink = await Measured.start('bench/sink.ts', [String(sinkPort), String(plans[0]?.latencyMs)], {}, 'listening');
  try {
    const rows: (readonly string[])[] = [];
    let one = 0;
    for (const plan of plans) {
      const run = await runOnce(ground, sink, plan);
      if (one === 0) one = run.perSecond / plan.workers;
      rows.push(rowOf(plan, run, one));
    }
    return rows;
  } finally {
    await sink.stop();
  }
}

interface Asked {
  readonly isCampaign: boolean;
  readonly plans: readonly (readonly Plan[])[];
}

function askedOf(args: readonly string[]): Asked {
  const given = optionsOf(args, {
    workers: { type: 'string' },
    latency: { type: 'string' },
    messages: { type: 'string' },
    connections: { type: 'string' },
    campaign: { type: 'boolean' },
  });
  if (given.campaign && given.connections !== undefined) throw new BadOption('--campaign has as many connections as other campaigns here');
  const workers = numbersOf('--workers', given.workers ?? WORKERS, 32);
  const messages = wholeNumber('--messages', given.messages, MESSAGES_EACH, 1_000_000);
  const connections = wholeNumber('--connections', given.connections, CONNECTIONS, 1_000);
  if (workers.some((count, index) => count <= (workers[index - 1] ?? 0))) throw new BadOption('--workers must rise');
  const latencies = numbersOf('--latency', given.latency ?? LATENCIES, 10_000);
  const plans = latencies.map((latencyMs) => workers.map((count) => ({ latencyMs, workers: count, messages, connections })));
  return { isCampaign: given.campaign ?? false, plans };
}

/** Measures one project's mail over one, two and four workers, to a mail server with latency: transactional mail, or a campaign. */
export async function run(args: readonly string[]): Promise<void> {
  const { isCampaign, plans } = askedOf(args);
  if (isCampaign) {
    for (const of of plans) {
      const [{ messages, latencyMs } = { messages: 0, latencyMs: 0 }] = of;
      await scaleCampaign({ workers: of.map(({ workers }) => workers), messages, latencyMs });
    }
    return;
  }
  await scaleQueue(plans);
}

async function scaleQueue(plans: readonly (readonly Plan[])[]): Promise<void> {
  const sinkPort = await freePort();
  const smtp = { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${sinkPort}` };
  const ground = await Ground.prepare({ NODE_ENV: 'development', ...smtp });
  try {
    const before = await storedBytes();
    const rows: (readonly string[])[] = [];
    for (const of of plans) rows.push(...(await runLatency(ground, sinkPort, of)));
    const after = await storedBytes();
    const sent = plans.flat().reduce((sum, { workers, messages }) => sum + workers * messages, 0);
    const { messages, connections } = plans[0]?.[0] ?? { messages: 0, connections: 0 };
    printTable(`scale: one project's mail, ${connections} connections and ${messages} messages a worker; times for a message`, HEAD, rows);
    const perMillion = (bytes: number): string => ((bytes / sent) * (1e6 / 2 ** 30)).toFixed(2);
    printTable(
      `stored by ${sent} messages`,
      ['GiB of documents per million', 'GiB of indexes per million'],
      [[perMillion(after.data - before.data), perMillion(after.indexes - before.indexes)]],
    );
  } finally {
    await ground.clear();
  }
}
