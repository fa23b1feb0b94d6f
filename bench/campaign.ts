import { setTimeout as sleep } from 'node:timers/promises';
import { insertPeople } from '../test/support/people';
import { CAMPAIGN_HTML } from './support/mail';
import { BenchPlatform } from './support/platform';
import { Measured, cpuSeconds } from './support/processes';
import { campaignRecordsAlone } from './support/records';
import { NO_DEVELOPMENT_DOMAINS, setSigned } from './support/signing';
import { printTable } from './support/table';

const SIZES = [10_000, 50_000, 200_000];
const MAIN_SIZE = 50_000;
const CONNECTIONS = '20';
/** The default bound on repeats after a lost worker, and a tighter one. */
const CHUNK = 500;
const SMALL_CHUNK = 100;

interface Run {
  readonly seconds: number;
  readonly perSecond: number;
  /** CPU per message in microseconds, by process. */
  readonly cpu: Readonly<Record<'worker' | 'api' | 'mongod' | 'temporal', number>>;
  readonly peak: number;
}

interface Plan {
  readonly size: number;
  readonly workers: number;
  readonly dkim: boolean;
  readonly chunk?: number;
}

/** With a number each, so that a filter takes as many as a run wants. */
const numbered = (n: number) => ({ firstName: `First${n}`, lastName: 'Last', locale: 'en', data: { n, city: 'Berlin' } });

class Bench {
  private constructor(private readonly platform: BenchPlatform) {}

  static async start(): Promise<Bench> {
    const platform = await BenchPlatform.start({ SMTP_CONNECTIONS: CONNECTIONS });
    await insertPeople(platform.ground.keys.projectId, Math.max(...SIZES), numbered);
    return new Bench(platform);
  }

  stop(): Promise<void> {
    return this.platform.stop();
  }

  /** From `POST .../send` to `sent`, with everything recorded. */
  async campaign({ size, workers, dkim, chunk = CHUNK }: Plan): Promise<Run> {
    const draft = await this.platform.call('POST', '/v1/campaigns', {
      ...{ name: `${size}`, subject: 'News for {{firstName}}', body: CAMPAIGN_HTML, fromEmail: 'hello@hello.test', audience: 'filter' },
      filter: { logic: 'and', groups: [{ filters: [{ field: 'data.n', operator: 'lessThan', value: size }] }] },
    });
    const path = `/v1/campaigns/${String(draft['campaignId'])}`;
    const running = await Promise.all(
      Array.from({ length: workers }, () => this.platform.worker({ ...NO_DEVELOPMENT_DOMAINS, LEDGER_CHUNK: String(chunk) })),
    );
    const { ground, api } = this.platform;
    const pids = { mongod: ground.mongod.pid, temporal: ground.temporal.pid, api: api.pid };
    const cpu = () => ({
      worker: running.reduce((sum, worker) => sum + worker.cpuSeconds(), 0),
      ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuSeconds(pid)])),
    });
    const before = cpu();
    const began = performance.now();
    await this.platform.call('POST', `${path}/send`, {});
    if (!dkim) await setSigned(false);
    let campaign = await this.platform.call('GET', path);
    while (campaign['status'] === 'sending') {
      await sleep(100);
      campaign = await this.platform.call('GET', path);
    }
    const seconds = (performance.now() - began) / 1000;
    const after = cpu();
    const run = {
      seconds,
      perSecond: size / seconds,
      cpu: Object.fromEntries(
        Object.entries(after).map(([name, value]) => [name, ((value - (before as Record<string, number>)[name]!) * 1e6) / size]),
      ) as Run['cpu'],
      peak: running.reduce((sum, worker) => sum + worker.memory().peak, 0),
    };
    await Promise.all(running.map((worker) => worker.stop()));
    await setSigned(true);
    if (campaign['totalRecipients'] !== size || campaign['delivered'] !== size)
      throw new Error(`Not all were sent: ${JSON.stringify(campaign)}`);
    return run;
  }

  /** The records of a campaign without its mail: with the bare loop, what no arrangement of the two can do without. */
  async recordsRow(): Promise<(string | number)[]> {
    const { perSecond, own, mongod } = await campaignRecordsAlone(this.platform.ground, MAIN_SIZE);
    const seconds = whole(MAIN_SIZE / perSecond);
    return ['records alone, no mail', seconds, whole(perSecond), whole(own), '', whole(mongod), '', '', ''];
  }

  async bare(size: number, dkim: boolean): Promise<Pick<Run, 'perSecond'> & { readonly cpuMicros: number; readonly peak: number }> {
    const { sink, sinkPort } = this.platform;
    const count = async (): Promise<number> => Number(await sink.ask('count'));
    const before = await count();
    const args = [String(sinkPort), String(size), CONNECTIONS, dkim ? 'dkim' : '', 'campaign'];
    const child = await Measured.start('bench/bare-pump.ts', args, {}, 'ready');
    while ((await count()) === before) await sleep(2);
    const [first, began] = [await count(), performance.now()];
    while ((await count()) - before < size) await sleep(5);
    const perSecond = ((size - (first - before)) * 1000) / (performance.now() - began);
    while (!child.output.includes('}')) await sleep(5);
    const { cpu, rss } = JSON.parse(/\{.*\}/.exec(child.output)?.[0] ?? '{}') as { cpu: { user: number; system: number }; rss: number };
    await child.stop();
    return { perSecond, cpuMicros: (cpu.user + cpu.system) / size, peak: Math.round(rss / 1024 / 1024) };
  }
}

const whole = (value: number): string => value.toFixed(0);

/** From `POST /v1/campaigns/{id}/send` to `sent`, against a loop over the same rendering, MIME and SMTP client without any records. */
export async function run(): Promise<void> {
  const bench = await Bench.start();
  try {
    for (const dkim of [false, true]) {
      const bare = await bench.bare(MAIN_SIZE, dkim);
      const rows: (string | number)[][] = [
        [
          ...['bare loop, no records', whole(MAIN_SIZE / bare.perSecond), whole(bare.perSecond), whole(bare.cpuMicros)],
          ...['', '', '', bare.peak, '1.00'],
        ],
      ];
      if (!dkim) rows.push(await bench.recordsRow());
      const plans = dkim ? [MAIN_SIZE] : SIZES;
      const one = { size: MAIN_SIZE, workers: 1, dkim };
      for (const plan of [...plans.map((size): Plan => ({ ...one, size })), { ...one, workers: 2 }, { ...one, chunk: SMALL_CHUNK }]) {
        const { seconds, perSecond, cpu, peak } = await bench.campaign(plan);
        const chunk = plan.chunk ? `, LEDGER_CHUNK=${plan.chunk}` : '';
        const name = `${plan.size} recipients, ${plan.workers} worker${plan.workers > 1 ? 's' : ''}${chunk}`;
        rows.push([
          ...[name, seconds.toFixed(1), whole(perSecond), whole(cpu.worker), whole(cpu.api), whole(cpu.mongod), whole(cpu.temporal)],
          ...[peak, (perSecond / bare.perSecond).toFixed(2)],
        ]);
      }
      printTable(
        `campaign ${dkim ? 'with 2,048-bit RSA DKIM' : 'without DKIM'}: 10 KB HTML + text, tracking, ${CONNECTIONS} connections`,
        ['what', 'seconds', 'messages/s', 'worker us/msg', 'api', 'mongod', 'temporal', 'peak MiB', 'against bare'],
        rows,
      );
    }
  } finally {
    await bench.stop();
  }
}
