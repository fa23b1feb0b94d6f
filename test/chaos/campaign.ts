import { setTimeout as pause } from 'node:timers/promises';
import { EmailModel } from '../../src/records/emails/model';
import { insertPeople } from '../support/data/people';
import { Part, Platform, eventually } from '../support/platform/platform';
import type { SmtpFaultServer } from '../support/servers/smtp-fault-server';
import { seeded } from './chance';
import type { Chance } from './chance';
import { arrivedAt, broken, deliveriesKnown, nothingWaits } from './judgement';
import type { Figures } from './report';

const RECIPIENTS = 20_000;
const WORKER_KILLS = 10;
const LEDGER_CHUNK = 500;
const CUT_EVERY_MS = 250;
/** Several leases one after another, and what is sent again after each. */
const LONGEST_MS = 20 * 60_000;

/** What is killed, in an order that chance decides; the database and Temporal once each. */
const killsIn = (chance: Chance): readonly string[] =>
  chance.shuffled([...Array.from({ length: WORKER_KILLS }, (_, index) => `worker ${index % 2}`), 'mongod', 'temporal']);

class Chaos {
  cuts = 0;
  readonly killed: string[] = [];
  private over = false;

  constructor(
    private readonly platform: Platform,
    private readonly workers: readonly Part[],
    private readonly chance: Chance,
  ) {}

  /** Kills one thing after another at moments that chance decides, and starts each again. */
  async killAll(): Promise<void> {
    for (const victim of killsIn(this.chance)) {
      await pause(1_000 + this.chance.below(4_000));
      if (this.over) return;
      this.killed.push(victim);
      if (victim === 'mongod' || victim === 'temporal') {
        await this.platform[victim].kill9();
        await pause(this.chance.below(3_000));
        await this.platform[victim].restart();
      } else {
        const worker = this.workers[Number(victim.slice(-1))] as Part;
        await worker.kill9();
        await worker.start();
      }
    }
  }

  /** Resets some connections, wherever they stand, again and again. */
  async cutConnections(smtp: SmtpFaultServer): Promise<void> {
    while (!this.over) {
      await pause(this.chance.below(2 * CUT_EVERY_MS));
      for (const socket of smtp.sockets) {
        if (this.chance.below(20) > 0) continue;
        this.cuts++;
        socket.resetAndDestroy();
      }
    }
  }

  end(): void {
    this.over = true;
  }
}

/** A campaign while everything dies at random: no recipient is missed, repeats stay within their bound, the books agree. Throws when one of it is not so. */
export async function run(seed: number): Promise<Figures> {
  const chance = seeded(seed);
  const platform = await Platform.start({
    ownServers: true,
    env: { SMTP_RETRY_SECONDS: '1,1,2,2,5,5,10,10,10', LEDGER_CHUNK: String(LEDGER_CHUNK) },
  });
  const second = new Part('worker/main.ts', platform.env, 'Worker is ready');
  try {
    await second.start();
    await insertPeople(platform.keys.projectId, RECIPIENTS);
    const draft = { name: 'Chaos', subject: 'News', body: '<p>Hello {{email}}</p>', fromEmail: 'hello@hello.test' };
    const { body } = await platform.post('/v1/campaigns', draft);
    const path = `/v1/campaigns/${body.data.campaignId as string}`;
    const began = performance.now();
    const sent = await platform.post(`${path}/send`, {});
    if (sent.status !== 200) throw new Error(`Not sent: ${JSON.stringify(sent.body)}`);
    const chaos = new Chaos(platform, [platform.worker, second], chance);
    const cutting = chaos.cutConnections(platform.smtp);
    await chaos.killAll();
    chaos.end();
    await cutting;
    await eventually('the campaign is sent', async () => (await platform.get(path)).body?.data?.status === 'sent', LONGEST_MS);
    await nothingWaits(LONGEST_MS);
    const seconds = (performance.now() - began) / 1_000;
    return await judge(platform, path, { seed, seconds, killed: chaos.killed, cuts: chaos.cuts });
  } finally {
    await second.stop();
    await platform.stop();
  }
}

async function judge(
  platform: Platform,
  path: string,
  { seed, seconds, killed, cuts }: { seed: number; seconds: number; killed: readonly string[]; cuts: number },
): Promise<Figures> {
  const { addresses, repeats, others } = arrivedAt(platform.smtp);
  const reached = addresses.size;
  const campaign = (await platform.get(path)).body.data;
  const ledger = await EmailModel.countDocuments({ deliveredAt: { $gt: new Date(0) } });
  const [events, statistics] = await deliveriesKnown(platform, RECIPIENTS);
  const failed = await EmailModel.countDocuments({ status: { $in: ['failed', 'bounced'] } });
  const lost = killed.filter((victim) => victim.startsWith('worker')).length;
  const bound = lost * LEDGER_CHUNK + cuts;
  const figures: Figures = [
    ['seed', seed],
    ['recipients', RECIPIENTS],
    ['killed', killed.join(', ')],
    ['connections cut', cuts],
    ['seconds', Math.round(seconds)],
    ['forgotten', RECIPIENTS - reached],
    ['repeated', `${repeats} (bound ${bound})`],
    ['repeated with another Message-ID', others],
    ['failed or bounced', failed],
    ['delivered: campaign, ledger, mail server', `${campaign.delivered}, ${ledger}, ${reached}`],
    ['delivered: events, statistics', `${events}, ${statistics}`],
  ];
  const agree = [campaign.delivered, ledger, events, statistics, campaign.totalRecipients].every((count) => count === reached);
  if (reached !== RECIPIENTS || repeats > bound || others > 0 || failed > 0 || !agree) throw broken(figures);
  return figures;
}
