import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { acceptSend } from '../src/sending/accept';
import { freePort } from '../test/support/run/servers';
import { NEWSLETTER, contextOf, message, quietCore, readerOf } from './support/mail';
import { mailServerAt, smtpUrlOf } from './support/mail-server';
import { optionsOf, wholeNumber } from './support/options';
import { runPeer } from './support/peer';
import { Ground, Measured, busySeconds, cpuSeconds } from './support/processes';
import { signing } from './support/signing';
import { median, printTable } from './support/table';

const SIZE = 20_000;
const ROUNDS = 3;
const CONNECTIONS = 20;
const BATCH = 1_000;
const POLL_MS = 50;
const DUE_INDEX = 'shard_1_projectId_1_priority_1_dueAt_1__id_1';

const KINDS = ['own content each', 'one content'] as const;
type Kind = (typeof KINDS)[number];

interface Run {
  readonly kind: Kind;
  readonly perSecond: number;
  readonly worker: number;
  readonly mongod: number;
  readonly peak: number;
  readonly others: number;
}

const newsletter = (n: number, kind: Kind, round: number) => ({
  ...message(n),
  subject: 'News for {{firstName}}',
  variables: readerOf(n),
  html: kind === 'one content' ? NEWSLETTER : NEWSLETTER.replace('<title>News', `<title>News ${round}/${n}`),
});

async function accept(ground: Ground, size: number, kind: Kind, round: number): Promise<void> {
  const ctx = await contextOf(quietCore(ground.env), ground.keys.projectId);
  for (let n = 0; n < size; n += BATCH) {
    const messages = Array.from({ length: Math.min(BATCH, size - n) }, (_, i) => newsletter(n + i, kind, round));
    await acceptSend(ctx, { endpoint: 'batch', messages, idempotency: null });
  }
}

/** Reads from the ledger how many messages accepted since `since` are sent, and the seconds from the first to the last. */
async function sentSince(since: Date): Promise<{ readonly count: number; readonly seconds: number }> {
  const [{ first, last, count } = { first: 0, last: 0, count: 0 }] = await mongoose.connection
    .collection('emails')
    .aggregate<{ first: number; last: number; count: number }>([
      { $match: { createdAt: { $gte: since }, sentAt: { $gt: since } } },
      { $group: { _id: null, first: { $min: '$sentAt' }, last: { $max: '$sentAt' }, count: { $sum: 1 } } },
    ])
    .toArray();
  return { count, seconds: (Number(last) - Number(first)) / 1_000 };
}

/** Reads the index alone: without it, each look would read all messages that were sent. */
const waiting = (): Promise<number> =>
  mongoose.connection.collection('emails').countDocuments({ dueAt: { $exists: true } }, { limit: 1, hint: DUE_INDEX });

/** Measures from the queue to the mail server, in a worker process that starts with the whole queue. */
async function send(ground: Ground, kind: Kind, round: number, size: number, connections: number): Promise<Run> {
  const since = new Date();
  await accept(ground, size, kind, round);
  const env = { ...ground.env, ...signing(false), LOG_LEVEL: 'info', SMTP_CONNECTIONS: String(connections) };
  const worker = await Measured.start('worker/main.ts', ['orchestration', 'pumps', 'delivery'], env, 'Worker is ready');
  const use = () => ({ own: worker.cpuSeconds(), mongod: cpuSeconds(ground.mongod.pid), busy: busySeconds(), at: performance.now() });
  try {
    const before = use();
    while ((await waiting()) > 0) await sleep(POLL_MS);
    while ((await sentSince(since)).count < size) await sleep(POLL_MS);
    const after = use();
    const { seconds } = await sentSince(since);
    const [own, mongod] = [after.own - before.own, after.mongod - before.mongod];
    const others = ((after.busy - before.busy - own - mongod) * 1_000) / (after.at - before.at);
    const micros = (used: number): number => (used * 1e6) / size;
    return { kind, perSecond: size / seconds, worker: micros(own), mongod: micros(mongod), peak: worker.memory().peak, others };
  } finally {
    await worker.stop();
  }
}

const OPTIONS = {
  smtp: { type: 'string' },
  peer: { type: 'string' },
  size: { type: 'string' },
  rounds: { type: 'string' },
  connections: { type: 'string' },
} as const;

/** Measures a queue of single newsletters, each with its own content or all with one, alternating with a peer. */
export async function run(args: readonly string[]): Promise<void> {
  const { smtp, peer, ...given } = optionsOf(args, OPTIONS);
  const size = wholeNumber('--size', given.size, SIZE, 1_000_000);
  const rounds = wholeNumber('--rounds', given.rounds, ROUNDS, 1_000);
  const connections = wholeNumber('--connections', given.connections, CONNECTIONS, 1_000);
  const mailServer = smtp === undefined ? null : await mailServerAt(smtp, null);
  const port = await freePort();
  const sink = mailServer ? null : await Measured.start('bench/sink.ts', [String(port)], {}, 'listening');
  const url = smtpUrlOf(mailServer ?? { host: '127.0.0.1', port, pid: null });
  const ground = await Ground.prepare({ NODE_ENV: 'development', DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: url });
  const runs: Run[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const kind of KINDS) runs.push(await send(ground, kind, round, size, connections));
      if (peer !== undefined) await runPeer(peer, (line) => process.stdout.write(`peer ${round} | ${line}\n`));
    }
  } finally {
    await sink?.stop();
    await ground.clear();
  }
  const FIGURES = ['perSecond', 'worker', 'mongod', 'peak'] as const;
  const of = (kind: Kind) => runs.filter((run) => run.kind === kind);
  printTable(
    `queue: ${size} single newsletters with ten links, no RSA, ${connections} connections, medians of ${rounds}`,
    ['what', 'sending/s', 'worker us/msg', 'mongod', 'worker peak MiB', 'cores of sink and others'],
    KINDS.map((kind) => [
      kind,
      ...FIGURES.map((figure) => median(of(kind).map((run) => run[figure])).toFixed(0)),
      median(of(kind).map(({ others }) => others)).toFixed(2),
    ]),
  );
}
