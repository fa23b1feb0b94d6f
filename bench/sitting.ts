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
} as const;

interface Sitting {
  readonly mailServer: MailServer | null;
  readonly peer: string | null;
  readonly plan: CampaignPlan;
  readonly rounds: number;
}

async function sittingOf(args: readonly string[]): Promise<Sitting> {
  const { smtp, peer, dkim = false, ...given } = optionsOf(args, OPTIONS);
  if (given['sink-pid'] !== undefined && smtp === undefined)
    throw new BadOption('--sink-pid says whose work counts at --smtp, which is missing');
  if (peer?.trim() === '') throw new BadOption('--peer must be a command');
  const plan = {
    size: wholeNumber('--size', given.size, SIZE, MOST_RECIPIENTS),
    workers: 1,
    dkim,
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

/** Runs a campaign a round in one database, alternating with a peer's, so that changes of the machine's load affect both. Prints the peer's figures as they are. */
export async function sit(args: readonly string[]): Promise<void> {
  const { mailServer, peer, plan, rounds } = await sittingOf(args);
  const bench = await CampaignBench.start(plan.size, mailServer);
  const runs: CampaignRun[] = [];
  // They run on, as they do in production. What a new process does once (it loads code and compiles it) is in the first round alone, which is no part of the median.
  const workers = await bench.workers(plan);
  try {
    if (bench.platform.mailServer.pid === null)
      print("The mail server's process is not known, so its work is not in the totals; --sink-pid says it");
    for (let round = FIRST; round <= rounds; round++) {
      const load = os.loadavg()[0]?.toFixed(2);
      const run = await bench.campaignOver(workers, plan);
      runs.push(run);
      const figures = Object.entries(COLUMNS).map(([name, column]) => `${name.replaceAll(' ', '_')}=${whole(column(run))}`);
      print(`ours ${round} | n=${plan.size} ${figures.join(' ')} load=${load} others_cores=${othersIn(run)}`);
      if (peer !== null) await runPeer(peer, (line) => print(`peer ${round} | ${line}`));
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await bench.stop();
  }
  const columns = Object.values(COLUMNS);
  const { size, dkim, chunk } = plan;
  printTable(
    `campaign: ${size} recipients, ten links, ${dkim ? '2,048-bit RSA DKIM' : 'no RSA'}, ${CONNECTIONS} connections, LEDGER_CHUNK=${chunk}`,
    ['round', ...Object.keys(COLUMNS), 'cores of others'],
    [
      ...runs.map((run, round) => [
        round === FIRST ? 'new process' : String(round),
        ...columns.map((column) => whole(column(run))),
        othersIn(run),
      ]),
      ['median', ...columns.map((column) => whole(middle(runs.slice(1), column))), ''],
    ],
  );
}
