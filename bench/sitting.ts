import os from 'node:os';
import { CONNECTIONS, CampaignBench } from './support/campaigns';
import type { CampaignPlan, CampaignRun } from './support/campaigns';
import { mailServerAt } from './support/mail-server';
import type { MailServer } from './support/mail-server';
import { BadOption, optionsOf, wholeNumber } from './support/options';
import { runPeer } from './support/peer';
import { median, printTable } from './support/table';

const SIZE = 50_000;
const MOST_RECIPIENTS = 10_000_000;
/** The round of a new process. */
const FIRST = 0;
const ROUNDS = 3;
const MOST_ROUNDS = 1_000;
const CHUNK = 500;
const MOST_CHUNK = 10_000;

const OPTIONS = {
  smtp: { type: 'string' },
  'sink-pid': { type: 'string' },
  peer: { type: 'string' },
  size: { type: 'string' },
  rounds: { type: 'string' },
  chunk: { type: 'string' },
  dkim: { type: 'boolean' },
  topic: { type: 'boolean' },
} as const;

interface Sitting {
  readonly mailServer: MailServer | null;
  readonly peer: string | null;
  readonly plan: CampaignPlan;
  readonly rounds: number;
}

async function sittingOf(args: readonly string[]): Promise<Sitting> {
  const { smtp, peer, dkim = false, topic = false, ...given } = optionsOf(args, OPTIONS);
  if (given['sink-pid'] !== undefined && smtp === undefined)
    throw new BadOption('--sink-pid says whose work counts at --smtp, which is missing');
  if (peer?.trim() === '') throw new BadOption('--peer must be a command');
  const plan = {
    size: wholeNumber('--size', given.size, SIZE, MOST_RECIPIENTS),
    workers: 1,
    dkim,
    topic,
    chunk: wholeNumber('--chunk', given.chunk, CHUNK, MOST_CHUNK),
  };
  const rounds = wholeNumber('--rounds', given.rounds, ROUNDS, MOST_ROUNDS);
  const pid = given['sink-pid'] === undefined ? null : wholeNumber('--sink-pid', given['sink-pid'], 0, 2 ** 22);
  return { mailServer: smtp === undefined ? null : await mailServerAt(smtp, pid), peer: peer ?? null, plan, rounds };
}

const whole = (value: number | null): string => (value === null ? '?' : value.toFixed(0));

const COLUMNS: Readonly<Record<string, (run: CampaignRun) => number | null>> = {
  'sending/s': ({ sending }) => sending,
  'end to end/s': ({ endToEnd }) => endToEnd,
  'CPU us/msg': ({ total }) => total,
  worker: ({ cpu }) => cpu.worker,
  api: ({ cpu }) => cpu.api,
  mongod: ({ cpu }) => cpu.mongod,
  temporal: ({ cpu }) => cpu.temporal,
  sink: ({ cpu }) => cpu.sink,
  'disk B/msg': ({ written }) => written,
  'worker peak MiB': ({ peak }) => peak.workers,
  'api peak MiB': ({ peak }) => peak.api,
};

const othersIn = ({ others }: CampaignRun): string => Math.max(0, others).toFixed(2);

function middle(runs: readonly CampaignRun[], column: (run: CampaignRun) => number | null): number | null {
  const values = runs.map(column).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Returns a campaign without a topic and, where asked for, one with: next to each other in each round. */
const kindsOf = (plan: CampaignPlan): readonly CampaignPlan[] => (plan.topic === true ? [{ ...plan, topic: false }, plan] : [plan]);

interface Done {
  readonly round: number;
  readonly topic: boolean;
  readonly run: CampaignRun;
}

const nameOf = (topic: boolean): string => (topic ? ', with a topic' : '');

type Row = readonly (string | number)[];

function medianRows(done: readonly Done[]): readonly Row[] {
  const columns = Object.values(COLUMNS);
  const counted = (topic: boolean) => done.filter((one) => one.round !== FIRST && one.topic === topic).map(({ run }) => run);
  const mediansOf = (topic: boolean) => columns.map((column) => middle(counted(topic), column));
  const [plain, withTopic] = [mediansOf(false), mediansOf(true)];
  const rows: Row[] = [['median', ...plain.map(whole), '']];
  if (!done.some(({ topic }) => topic)) return rows;
  const ratios = withTopic.map((value, index) => ((value ?? Number.NaN) / (plain[index] ?? Number.NaN)).toFixed(2));
  return [...rows, [`median${nameOf(true)}`, ...withTopic.map(whole), ''], ['with a topic to without', ...ratios, '']];
}

/** Runs a campaign a round in one database, alternating with a peer's, so that changes of the machine's load affect both. Prints the peer's figures as they are. */
export async function sit(args: readonly string[]): Promise<void> {
  const { mailServer, peer, plan, rounds } = await sittingOf(args);
  const bench = await CampaignBench.start(plan.size, mailServer, plan.topic);
  const done: Done[] = [];
  // They run on, as they do in production. What a new process does once (it loads code and compiles it) is in the first round alone, which is no part of the median.
  const workers = await bench.workers(plan);
  try {
    if (bench.platform.mailServer.pid === null)
      print("The mail server's process is not known, so its work is not in the totals; --sink-pid says it");
    for (let round = FIRST; round <= rounds; round++) {
      for (const kind of kindsOf(plan)) {
        const load = os.loadavg()[0]?.toFixed(2);
        const run = await bench.campaignOver(workers, kind);
        const topic = kind.topic === true;
        done.push({ round, topic, run });
        const figures = Object.entries(COLUMNS).map(([name, column]) => `${name.replaceAll(' ', '_')}=${whole(column(run))}`);
        print(`ours ${round}${nameOf(topic)} | n=${plan.size} ${figures.join(' ')} load=${load} others_cores=${othersIn(run)}`);
      }
      if (peer !== null) await runPeer(peer, (line) => print(`peer ${round} | ${line}`));
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await bench.stop();
  }
  const { size, dkim, chunk } = plan;
  printTable(
    `campaign: ${size} recipients, ten links, ${dkim ? '2,048-bit RSA DKIM' : 'no RSA'}, ${CONNECTIONS} connections, LEDGER_CHUNK=${chunk}`,
    ['round', ...Object.keys(COLUMNS), 'cores of others'],
    [
      ...done.map(({ round, topic, run }) => [
        `${round === FIRST ? 'new process' : round}${nameOf(topic)}`,
        ...Object.values(COLUMNS).map((column) => whole(column(run))),
        othersIn(run),
      ]),
      ...medianRows(done),
    ],
  );
}
