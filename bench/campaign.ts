import { setTimeout as sleep } from 'node:timers/promises';
import { sit } from './sitting';
import { CONNECTIONS, CampaignBench } from './support/campaigns';
import type { CampaignPlan, CampaignRun } from './support/campaigns';
import { Measured } from './support/processes';
import { campaignRecordsAlone } from './support/records';
import { printTable } from './support/table';

const SIZES = [10_000, 50_000, 200_000];
const MAIN_SIZE = 50_000;
/** The default bound on repeats after a lost worker, and a tighter one. */
const CHUNK = 500;
const SMALL_CHUNK = 100;

type Cell = string | number;

interface Bare {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly peak: number;
}

/** Sends the same messages with signed links over the same SMTP client, without records. */
async function bareLoop({ platform }: CampaignBench, size: number, dkim: boolean): Promise<Bare> {
  const before = await platform.taken();
  const args = [String(platform.mailServer.port), String(size), String(CONNECTIONS), dkim ? 'dkim' : '', 'campaign'];
  const child = await Measured.start('bench/bare-pump.ts', args, {}, 'ready');
  while ((await platform.taken()) === before) await sleep(2);
  const [first, began] = [await platform.taken(), performance.now()];
  while ((await platform.taken()) - before < size) await sleep(5);
  const perSecond = ((size - (first - before)) * 1000) / (performance.now() - began);
  while (!child.output.includes('}')) await sleep(5);
  const { cpu, rss } = JSON.parse(/\{.*\}/.exec(child.output)?.[0] ?? '{}') as { cpu: { user: number; system: number }; rss: number };
  await child.stop();
  return { perSecond, cpuMicros: (cpu.user + cpu.system) / size, peak: Math.round(rss / 1024 / 1024) };
}

const whole = (value: number): string => value.toFixed(0);

/** Measures the records of a campaign without its mail: together with the bare loop, the least that any implementation needs. */
async function recordsRow({ platform }: CampaignBench): Promise<readonly Cell[]> {
  const { perSecond, own, mongod } = await campaignRecordsAlone(platform.ground, MAIN_SIZE);
  return ['records alone, no mail', whole(MAIN_SIZE / perSecond), whole(perSecond), whole(own), '', whole(mongod), '', '', ''];
}

function plansFor(dkim: boolean): readonly CampaignPlan[] {
  const one = { size: MAIN_SIZE, workers: 1, dkim, chunk: CHUNK };
  const sizes = dkim ? [MAIN_SIZE] : SIZES;
  return [...sizes.map((size) => ({ ...one, size })), { ...one, workers: 2 }, { ...one, chunk: SMALL_CHUNK }];
}

function campaignRow({ size, workers, chunk }: CampaignPlan, run: CampaignRun, bare: Bare): readonly Cell[] {
  const { seconds, endToEnd, cpu, peak } = run;
  return [
    `${size} recipients, ${workers} worker${workers > 1 ? 's' : ''}${chunk === CHUNK ? '' : `, LEDGER_CHUNK=${chunk}`}`,
    seconds.toFixed(1),
    whole(endToEnd),
    whole(cpu.worker),
    whole(cpu.api),
    whole(cpu.mongod),
    whole(cpu.temporal),
    peak.workers,
    (endToEnd / bare.perSecond).toFixed(2),
  ];
}

async function compare(bench: CampaignBench, dkim: boolean): Promise<void> {
  const bare = await bareLoop(bench, MAIN_SIZE, dkim);
  const rows: (readonly Cell[])[] = [
    [
      'bare loop, no records',
      whole(MAIN_SIZE / bare.perSecond),
      whole(bare.perSecond),
      whole(bare.cpuMicros),
      '',
      '',
      '',
      bare.peak,
      '1.00',
    ],
  ];
  if (!dkim) rows.push(await recordsRow(bench));
  for (const plan of plansFor(dkim)) rows.push(campaignRow(plan, await bench.campaign(plan), bare));
  printTable(
    `campaign ${dkim ? 'with 2,048-bit RSA DKIM' : 'without RSA'}: a newsletter with ten links, tracking, ${CONNECTIONS} connections`,
    ['what', 'seconds', 'messages/s', 'worker us/msg', 'api', 'mongod', 'temporal', 'peak MiB', 'against bare'],
    rows,
  );
}

/**
 * Measures from `POST /v1/campaigns/{id}/send` to `sent`, against a loop over the same rendering, MIME and SMTP client without any records; with options,
 * runs campaigns alternating with a peer's.
 */
export async function run(args: readonly string[]): Promise<void> {
  if (args.length > 0) return sit(args);
  const bench = await CampaignBench.start(Math.max(...SIZES));
  try {
    for (const dkim of [false, true]) await compare(bench, dkim);
  } finally {
    await bench.stop();
  }
}
