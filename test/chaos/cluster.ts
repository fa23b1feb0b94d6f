import { UsageModel } from '../../src/records/billing/model';
import { EmailModel } from '../../src/records/emails/model';
import { insertPeople } from '../support/data/people';
import { Part, Platform, eventually } from '../support/platform/platform';
import { ReplicaSet } from '../support/run/replica-set';
import { freePort } from '../support/run/servers';
import { scratchDir } from '../support/run/test-run';
import { seeded } from './chance';
import type { Chance } from './chance';
import type { Figures } from './report';

const LEDGER_CHUNK = 200;
const CONNECTIONS = 10;
/** The mail server takes this long, so that the campaign lasts while things fail. */
const MAIL_SERVER_MS = 50;
const SINGLE_EVERY_MS = 40;
const RETRY_MS = 200;
const ANSWER_MS = 60_000;
const LONGEST_MS = 5 * 60_000;

type Fault = 'step-down' | 'primary killed' | 'secondary killed' | 'worker killed' | 'api killed';

interface Size {
  readonly recipients: number;
  readonly electionMs: number;
  /** In an order that chance decides. */
  readonly faults: readonly Fault[];
}

const WHOLE: Size = {
  recipients: 15_000,
  // MongoDB's default.
  electionMs: 10_000,
  faults: [
    ...(['step-down', 'step-down', 'step-down', 'primary killed', 'primary killed'] as const),
    ...(['secondary killed', 'worker killed', 'api killed'] as const),
  ],
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Messages one after another through one API process. Each is asked for with its own Idempotency-Key until it is accepted, as a client would. */
class Singles {
  readonly accepted: string[] = [];
  /** Requests without an answer, or with one that says to try again. */
  again = 0;
  longestMs = 0;
  private over = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly name: string,
  ) {
    this.running = this.run();
    // Looked at by `stop`.
    this.running.catch(() => undefined);
  }

  /** Resolves once the last message is accepted. Rejects when one was refused for good. */
  async stop(): Promise<void> {
    this.over = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const to = `${this.name}-${n}@example.com`;
      const began = performance.now();
      for (; !(await this.isAccepted(to)); await pause(RETRY_MS)) {
        this.again++;
        if (performance.now() - began > LONGEST_MS) throw new Error('A message was not accepted in time');
      }
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      this.accepted.push(to);
      await pause(SINGLE_EVERY_MS);
    }
  }

  private async isAccepted(to: string): Promise<boolean> {
    const answer = await fetch(`${this.url}/v1/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', 'idempotency-key': to },
      body: JSON.stringify({ to, from: 'hello@hello.test', subject: 'Hello', text: 'Hello' }),
      signal: AbortSignal.timeout(ANSWER_MS),
    }).catch(() => null);
    if (answer === null || answer.status === 503) return false;
    const text = await answer.text();
    if (answer.status !== 200 || !text.includes('"queued"')) throw new Error(`A message was refused: ${answer.status} ${text}`);
    return true;
  }
}

/** Two processes of each kind on three mongods. */
interface Cluster {
  readonly set: ReplicaSet;
  readonly platform: Platform;
  readonly apis: readonly [Part, Part];
  readonly workers: readonly [Part, Part];
  readonly urls: readonly [string, string];
  stop(): Promise<void>;
}

async function startCluster(electionMs: number): Promise<Cluster> {
  const set = await ReplicaSet.start(scratchDir('cluster'), electionMs);
  const env = { SMTP_RETRY_SECONDS: '1,1,2,2,5,5,10,10,10', SMTP_CONNECTIONS: String(CONNECTIONS), LEDGER_CHUNK: String(LEDGER_CHUNK) };
  const platform = await Platform.start({ mongoUri: set.uri, env }).catch(async (error: unknown) => {
    await set.stop();
    throw error;
  });
  const port = String(await freePort());
  const api = new Part('api/main.ts', { ...platform.env, PORT: port }, 'istening');
  const worker = new Part('worker/main.ts', platform.env, 'Worker is ready');
  const stop = async (): Promise<void> => {
    await Promise.all([api.stop(), worker.stop()]);
    await platform.stop();
    await set.stop();
  };
  try {
    await Promise.all([api.start(), worker.start()]);
  } catch (error) {
    await stop();
    throw error;
  }
  const urls = [platform.url, `http://127.0.0.1:${port}`] as const;
  return { set, platform, apis: [platform.api, api], workers: [platform.worker, worker], urls, stop };
}

async function killed(part: Pick<Part, 'kill9'>, again: () => Promise<void>, chance: Chance): Promise<void> {
  await part.kill9();
  await pause(chance.below(3_000));
  await again();
}

/** Has one thing fail after another at moments that chance decides; each is whole again before the next. */
async function failAll({ set, apis, workers }: Cluster, faults: readonly Fault[], chance: Chance): Promise<void> {
  for (const fault of faults) {
    await pause(500 + chance.below(3_000));
    const primary = await set.primary();
    if (fault === 'step-down') await set.stepDown();
    else if (fault === 'primary killed') await killed(primary, () => primary.restart(), chance);
    else if (fault === 'secondary killed') {
      const secondary = chance.shuffled(set.members.filter((member) => member !== primary))[0] ?? primary;
      await killed(secondary, () => secondary.restart(), chance);
    } else {
      const part = (fault === 'api killed' ? apis : workers)[chance.below(2) === 0 ? 0 : 1];
      await killed(part, () => part.start(), chance);
    }
    await set.whole();
  }
}

/** The whole platform, two processes of each kind, while the members of its replica set fail. Throws when anything is lost, repeated beyond its bound, or counted wrongly. */
export async function run(seed: number, { recipients, electionMs, faults }: Size = WHOLE): Promise<Figures> {
  const chance = seeded(seed);
  const cluster = await startCluster(electionMs);
  const { platform, urls } = cluster;
  platform.smtp.script = { dot: { delayMs: MAIL_SERVER_MS } };
  try {
    await insertPeople(platform.keys.projectId, recipients);
    const draft = { name: 'Chaos', subject: 'News', body: '<p>Hello {{email}}</p>', fromEmail: 'hello@hello.test' };
    const { body } = await platform.post('/v1/campaigns', draft);
    const campaign = `/v1/campaigns/${body.data.campaignId as string}`;
    const began = performance.now();
    const sent = await platform.post(`${campaign}/send`, {});
    if (sent.status !== 200) throw new Error(`Not sent: ${JSON.stringify(sent.body)}`);
    const singles = urls.map((url, n) => new Singles(url, platform.keys.secret, `single-${n}`));
    const order = chance.shuffled(faults);
    await failAll(cluster, order, chance);
    const sentMeanwhile = ofCampaign(platform);
    await Promise.all(singles.map((each) => each.stop()));
    await eventually('the campaign is sent', async () => (await platform.get(campaign)).body?.data?.status === 'sent', LONGEST_MS);
    await eventually(
      'nothing waits',
      async () => (await EmailModel.countDocuments({ status: { $in: ['queued', 'sending'] } })) === 0,
      LONGEST_MS,
    );
    const seconds = Math.round((performance.now() - began) / 1_000);
    return await judge(platform, { seed, recipients, order, singles, seconds, sentMeanwhile, campaign });
  } finally {
    await cluster.stop();
  }
}

interface Ended {
  readonly seed: number;
  readonly recipients: number;
  readonly order: readonly Fault[];
  readonly singles: readonly Singles[];
  readonly seconds: number;
  readonly sentMeanwhile: number;
  readonly campaign: string;
}

const ofCampaign = ({ smtp }: Platform): number => smtp.messages.filter(({ to }) => to.startsWith('user-')).length;

/** What the mail server has: each address once, but for repeats, which have the same Message-ID. */
function arrived(platform: Platform) {
  const ids = new Map<string, Set<string>>();
  for (const { to, headers } of platform.smtp.messages) ids.set(to, (ids.get(to) ?? new Set()).add(headers['message-id'] ?? ''));
  const others = [...ids.values()].reduce((sum, { size }) => sum + size - 1, 0);
  return { ids, repeats: platform.smtp.messages.length - ids.size, others };
}

/** How many deliveries the statistics and the events know; both follow some seconds behind. */
async function counted(platform: Platform, all: number): Promise<readonly [events: number, statistics: number]> {
  const known = async (): Promise<readonly [number, number]> => [
    (await platform.get('/v1/events/stats?name=email.delivered')).body.data.total as number,
    (await platform.get('/v1/stats')).body.data.totals.delivered as number,
  ];
  await eventually('events and statistics follow', async () => Math.min(...(await known())) >= all, 60_000).catch(() => undefined);
  return known();
}

async function judge(platform: Platform, { seed, recipients, order, singles, seconds, sentMeanwhile, campaign }: Ended): Promise<Figures> {
  const accepted = singles.flatMap((each) => each.accepted);
  const all = recipients + accepted.length;
  const { ids, repeats, others } = arrived(platform);
  const lostSingles = accepted.filter((to) => !ids.has(to)).length;
  const reached = [...ids.keys()].filter((to) => to.startsWith('user-')).length;
  const [events, statistics] = await counted(platform, all);
  const ledger = await EmailModel.countDocuments({ deliveredAt: { $gt: new Date(0) } });
  const used = (await UsageModel.find().lean()).reduce((sum, stripe) => sum + stripe.used, 0);
  const { delivered } = (await platform.get(campaign)).body.data as { delivered: number };
  const bound = order.filter((fault) => fault === 'worker killed').length * (LEDGER_CHUNK + CONNECTIONS);
  const figures: Figures = [
    ['seed', seed],
    ['recipients of the campaign', recipients],
    ['single messages accepted by two API processes', accepted.length],
    ['what failed', order.join(', ')],
    ['sent of the campaign when the last failure was over', sentMeanwhile],
    ['seconds', seconds],
    ['requests that had to be repeated', singles.reduce((sum, { again }) => sum + again, 0)],
    ['longest wait until a message was accepted, seconds', (Math.max(...singles.map(({ longestMs }) => longestMs)) / 1_000).toFixed(1)],
    ['lost: recipients, single messages', `${recipients - reached}, ${lostSingles}`],
    ['repeated', `${repeats} (bound ${bound})`],
    ['repeated with another Message-ID', others],
    ['delivered: campaign, ledger, mail server', `${delivered}, ${ledger}, ${ids.size}`],
    ['delivered: events, statistics', `${events}, ${statistics}`],
    ['counted as used', used],
  ];
  const agree = [ledger, ids.size, events, statistics, used].every((count) => count === all) && delivered === recipients;
  if (lostSingles > 0 || reached !== recipients || repeats > bound || others > 0 || !agree) {
    throw new Error(`A promise is broken:\n${figures.map(([name, value]) => `${name}: ${value}`).join('\n')}`);
  }
  return figures;
}
