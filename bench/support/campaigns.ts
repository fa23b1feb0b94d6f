import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { insertPeople } from '../../test/support/data/people';
import { NEWSLETTER, readerOf } from './mail';
import type { MailServer } from './mail-server';
import { BenchPlatform } from './platform';
import { busySeconds, cpuSeconds, writtenBytes } from './processes';
import type { Measured } from './processes';
import { signing } from './signing';

export const CONNECTIONS = 20;
/** Interval for polling the campaign's progress: the same as for peers, since answering is work too. */
const POLL_MS = 500;
const CAMPAIGN_INDEX = 'projectId_1_campaignId_1_createdAt_-1__id_-1';

export interface CampaignPlan {
  readonly size: number;
  readonly workers: number;
  readonly dkim: boolean;
  /** `LEDGER_CHUNK`. */
  readonly chunk: number;
  /** The campaign names a topic that everybody chose. */
  readonly topic?: boolean;
}

/** Measurements by process; not every mail server's process is known. */
interface Use {
  readonly worker: number;
  readonly api: number;
  readonly mongod: number;
  readonly temporal: number;
  readonly sink: number | null;
}

export interface CampaignRun {
  /** From the request to `sent`. */
  readonly seconds: number;
  readonly endToEnd: number;
  /** Messages per second from the first to the last that the mail server accepted. */
  readonly sending: number;
  /** Processor time per message, in microseconds. */
  readonly cpu: Use;
  readonly total: number;
  /** Bytes that mongod wrote to disk per message. */
  readonly written: number;
  /** Highest resident memory, in MiB. */
  readonly peak: { readonly workers: number; readonly api: number };
  /** Cores that were busy with something else. */
  readonly others: number;
}

async function topicOf(platform: BenchPlatform): Promise<string> {
  const { topicId } = await platform.call('POST', '/v1/topics', { key: 'news', name: 'News', defaultSubscription: 'out' });
  return String(topicId);
}

/** Runs campaigns of a project with many contacts, each with its own workers. */
export class CampaignBench {
  private constructor(
    readonly platform: BenchPlatform,
    private readonly topicId: string | null,
  ) {}

  /** Starts the platform with this many contacts. With a topic, each of them chose it. */
  static async start(people: number, mailServer: MailServer | null = null, topic = false): Promise<CampaignBench> {
    const platform = await BenchPlatform.start({ SMTP_CONNECTIONS: String(CONNECTIONS) }, mailServer);
    const topicId = topic ? await topicOf(platform) : null;
    const chosen = topicId === null ? {} : { topicsIn: [{ topicId, since: new Date(), source: 'api' as const }] };
    // Each has a number, so that a filter selects as many as a run needs.
    await insertPeople(platform.ground.keys.projectId, people, (n) => {
      const reader = readerOf(n);
      return { ...reader, data: { ...reader.data, n }, ...chosen };
    });
    return new CampaignBench(platform, topicId);
  }

  stop(): Promise<void> {
    return this.platform.stop();
  }

  /** Starts the workers of a plan. */
  workers({ workers, dkim, chunk }: CampaignPlan): Promise<readonly Measured[]> {
    const env = { ...signing(dkim), LEDGER_CHUNK: String(chunk) };
    return Promise.all(Array.from({ length: workers }, () => this.platform.worker(env)));
  }

  /** Measures a campaign with workers of its own. */
  async campaign(plan: CampaignPlan): Promise<CampaignRun> {
    const running = await this.workers(plan);
    try {
      return await this.campaignOver(running, plan);
    } finally {
      await Promise.all(running.map((worker) => worker.stop()));
    }
  }

  /** Measures from `POST .../send` to `sent`, with everything recorded. */
  async campaignOver(running: readonly Measured[], plan: CampaignPlan): Promise<CampaignRun> {
    const campaignId = await this.draft(plan);
    return this.sent(campaignId, plan, running);
  }

  private async draft({ size, topic = false }: CampaignPlan): Promise<string> {
    const { campaignId } = await this.platform.call('POST', '/v1/campaigns', {
      name: `${size}`,
      subject: 'News for {{firstName}}',
      body: NEWSLETTER,
      fromEmail: 'hello@hello.test',
      audience: 'filter',
      filter: { logic: 'and', groups: [{ filters: [{ field: 'data.n', operator: 'lessThan', value: size }] }] },
      ...(topic && { topicId: this.topicId }),
    });
    return String(campaignId);
  }

  private async sent(campaignId: string, { size }: CampaignPlan, running: readonly Measured[]): Promise<CampaignRun> {
    const { api, ground } = this.platform;
    const path = `/v1/campaigns/${campaignId}`;
    const [before, written, busy, began] = [this.use(running), writtenBytes(ground.mongod.pid), busySeconds(), performance.now()];
    await this.platform.call('POST', `${path}/send`, {});
    let campaign = await this.platform.call('GET', path);
    while (campaign['status'] === 'sending') {
      await sleep(POLL_MS);
      campaign = await this.platform.call('GET', path);
    }
    const seconds = (performance.now() - began) / 1000;
    const after = this.use(running);
    const used = (name: keyof Use): number => (after[name] ?? 0) - (before[name] ?? 0);
    const of = (name: keyof Use): number => (used(name) * 1e6) / size;
    const cpu = { worker: of('worker'), api: of('api'), mongod: of('mongod'), temporal: of('temporal') };
    const sink = after.sink === null ? null : of('sink');
    const total = cpu.worker + cpu.api + cpu.mongod + cpu.temporal + (sink ?? 0);
    if (campaign['totalRecipients'] !== size || campaign['delivered'] !== size)
      throw new Error(`Not all were sent: ${JSON.stringify(campaign)}`);
    return {
      seconds,
      endToEnd: size / seconds,
      sending: size / (await this.secondsOfSending(campaignId)),
      cpu: { ...cpu, sink },
      total,
      written: (writtenBytes(ground.mongod.pid) - written) / size,
      peak: { workers: running.reduce((sum, worker) => sum + worker.memory().peak, 0), api: api.memory().peak },
      others: (busySeconds() - busy - (total * size) / 1e6) / seconds,
    };
  }

  private use(workers: readonly Measured[]): Use {
    const { api, ground, mailServer } = this.platform;
    return {
      worker: workers.reduce((sum, worker) => sum + worker.cpuSeconds(), 0),
      api: api.cpuSeconds(),
      mongod: cpuSeconds(ground.mongod.pid),
      temporal: cpuSeconds(ground.temporal.pid),
      sink: mailServer.pid === null ? null : cpuSeconds(mailServer.pid),
    };
  }

  /**
   * Reads the sending time from the ledger, which has for each message when the mail server accepted it. By the campaign's own index: to read all mail of earlier
   * rounds would push out of mongod's cache what the next one needs.
   */
  private async secondsOfSending(campaignId: string): Promise<number> {
    const { projectId } = this.platform.ground.keys;
    const [{ first, last } = { first: 0, last: 0 }] = await mongoose.connection
      .collection('emails')
      .aggregate<{ first: number; last: number }>(
        [{ $match: { projectId, campaignId } }, { $group: { _id: null, first: { $min: '$sentAt' }, last: { $max: '$sentAt' } } }],
        { hint: CAMPAIGN_INDEX },
      )
      .toArray();
    return (Number(last) - Number(first)) / 1000;
  }
}
