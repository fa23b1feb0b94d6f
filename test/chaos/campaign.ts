import { EmailModel } from '../../src/records/emails/model';
import { insertPeople } from '../support/data/people';
import { Part, Platform, eventually } from '../support/platform/platform';
import type { SmtpFaultServer } from '../support/servers/smtp-fault-server';
import { seeded } from './chance';
import type { Chance } from './chance';
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Recipients the mail server never heard of, messages it got more than once, and whether those were the same message. */
function seenBy(smtp: SmtpFaultServer): { readonly reached: number; readonly repeats: number; readonly ids: number } {
  const ids = new Map<string, Set<string>>();
  for (const { to, headers } of smtp.messages) ids.set(to, (ids.get(to) ?? new Set()).add(headers['message-id'] ?? ''));
  const different = [...ids.values()].reduce((sum, { size }) => sum + size - 1, 0);
  return { reached: ids.size, repeats: smtp.messages.length - ids.size, ids: different };
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
    await eventually(
      'nothing waits',
      async () => (await EmailModel.countDocuments({ status: { $in: ['queued', 'sending'] } })) === 0,
      LONGEST_MS,
    );
    const seconds = (performance.now() - began) / 1_000;
    return await judge(platform, path, { seed, seconds, killed: chaos.killed, cuts: chaos.cuts });
  } finally {
    await second.stop();
    await platform.stop();
  }
}

/** How many deliveries the events and the statistics know, both of which follow some seconds behind. */
async function eventsAndStatistics(platform: Platform): Promise<readonly [events: number, statistics: number]> {
  const known = async (): Promise<readonly [number, number]> => [
    (await platform.get('/v1/events/stats?name=email.delivered')).body.data.total as number,
    (await platform.get('/v1/stats')).body.data.totals.delivered as number,
  ];
  await eventually('events and statistics follow', async () => Math.min(...(await known())) >= RECIPIENTS, 60_000).catch(() => undefined);
  return known();
}

async function judge(
  platform: Platform,
  path: string,
  { seed, seconds, killed, cuts }: { seed: number; seconds: number; killed: readonly string[]; cuts: number },
): Promise<Figures> {
  const { reached, repeats, ids } = seenBy(platform.smtp);
  const campaign = (await platform.get(path)).body.data;
  const ledger = await EmailModel.countDocuments({ deliveredAt: { $gt: new Date(0) } });
  const [events, statistics] = await eventsAndStatistics(platform);
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
    ['repeated with another Message-ID', ids],
    ['failed or bounced', failed],
    ['delivered: campaign, ledger, mail server', `${campaign.delivered}, ${ledger}, ${reached}`],
    ['delivered: events, statistics', `${events}, ${statistics}`],
  ];
  const agree = [campaign.delivered, ledger, events, statistics, campaign.totalRecipients].every((count) => count === reached);
  if (reached !== RECIPIENTS || repeats > bound || ids > 0 || failed > 0 || !agree) {
    throw new Error(`A promise is broken:\n${figures.map(([name, value]) => `${name}: ${value}`).join('\n')}`);
  }
  return figures;
}
