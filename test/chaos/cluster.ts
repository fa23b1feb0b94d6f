import { ExecutionModel } from '../../src/marketing/automations/execution-model';
import { UsageModel } from '../../src/records/billing/model';
import { EmailModel } from '../../src/records/emails/model';
import { chain, node, send } from '../support/calls/automations';
import { insertPeople } from '../support/data/people';
import { eventually } from '../support/platform/platform';
import type { Answer, Platform } from '../support/platform/platform';
import { seeded } from './chance';
import { Client, overHttp, overSmtp } from './cluster/clients';
import { boundOf, failAll } from './cluster/failures';
import type { Failure } from './cluster/failures';
import { startCluster } from './cluster/parts';
import type { Cluster } from './cluster/parts';
import { arrivedAt, broken, deliveriesKnown, nothingWaits } from './judgement';
import type { Figures } from './report';

/** The mail server takes this long while things fail, so that the campaign lasts. */
const MAIL_SERVER_MS = 500;
/** The automation waits this long before it sends. */
const DELAY_SECONDS = 20;
const LONGEST_MS = 5 * 60_000;
/** Between two requests of a client: single messages, messages over SMTP, events. */
const EVERY_MS = { api: 100, smtp: 100, event: 250 } as const;
const CLIENTS = 2;

type Kind = keyof typeof EVERY_MS;

interface Size {
  readonly recipients: number;
  readonly electionMs: number;
  /** In an order that chance decides. */
  readonly failures: readonly Failure[];
  /** The shortest and the longest black hole, in milliseconds. */
  readonly holeMs: readonly [least: number, most: number];
}

const ONE_OF_EACH = [
  ...(['step-down', 'primary killed', 'api killed', 'worker killed', 'smtp killed'] as const),
  ...(['cut off from MongoDB', 'cut off from the mail server'] as const),
] as const;

const WHOLE: Size = {
  recipients: 10_000,
  // MongoDB's default.
  electionMs: 10_000,
  failures: [...ONE_OF_EACH, 'step-down', 'secondary killed', 'worker killed', 'cut off from MongoDB'],
  holeMs: [30_000, 60_000],
};

/** To try it out. */
export const SHORT: Size = { recipients: 1_000, electionMs: 2_000, failures: ONE_OF_EACH, holeMs: [5_000, 10_000] };

async function done(what: string, answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

/** Resolves to the path of an automation that sends to everybody who signs up, some seconds later. */
async function activate(platform: Platform): Promise<string> {
  const graph = chain(node('wait', 'delay', { amount: DELAY_SECONDS, unit: 'seconds' }), send('hello'));
  const draft = { name: 'Welcome', trigger: 'event:signed.up', reentry: 'always', graph };
  const { workflowId } = await done('No automation', platform.post('/v1/workflows', draft));
  const path = `/v1/workflows/${workflowId as string}`;
  await done('Not active', platform.request('PATCH', path, { status: 'active' }));
  return path;
}

/** Resolves to the path of a campaign to everybody, which has begun. */
async function launch(platform: Platform): Promise<string> {
  const draft = { name: 'Chaos', subject: 'News', body: '<p>Hello {{email}}</p>', fromEmail: 'hello@hello.test' };
  const { campaignId } = await done('No campaign', platform.post('/v1/campaigns', draft));
  const path = `/v1/campaigns/${campaignId as string}`;
  await done('Not sent', platform.post(`${path}/send`, {}));
  return path;
}

/** Clients of each kind, which know the balancers only. */
function clientsOf({ platform, balancers }: Cluster): Readonly<Record<Kind, readonly Client[]>> {
  const url = `http://127.0.0.1:${balancers.api.port}`;
  const key = platform.keys.secret;
  const asks = {
    api: () => overHttp(`${url}/v1/send`, key, (to) => ({ to, from: 'hello@hello.test', subject: 'Hello', text: 'Hello' })),
    smtp: () => overSmtp(balancers.smtp.port, key),
    event: () => overHttp(`${url}/v1/events`, key, (email) => ({ name: 'signed.up', email })),
  };
  const ofKind = (kind: Kind) => Array.from({ length: CLIENTS }, (_, n) => new Client(`${kind}-${n}`, asks[kind](), EVERY_MS[kind]));
  return { api: ofKind('api'), smtp: ofKind('smtp'), event: ofKind('event') };
}

/** The whole platform while its processes and its replica set fail. Throws when anything is lost, repeated beyond its bound, or counted wrongly. */
export async function run(seed: number, size: Size = WHOLE): Promise<Figures> {
  const cluster = await startCluster(size.electionMs);
  const { platform, balancers, wires } = cluster;
  platform.smtp.script = { dot: { delayMs: MAIL_SERVER_MS } };
  try {
    await insertPeople(platform.keys.projectId, size.recipients);
    const automation = await activate(platform);
    const began = performance.now();
    const campaign = await launch(platform);
    const clients = clientsOf(cluster);
    const failed = await failAll(cluster, size, seeded(seed));
    const sentMeanwhile = platform.smtp.messages.length;
    platform.smtp.script = {};
    const all = Object.values(clients).flat();
    await Promise.all(all.map((each) => each.stop()));
    const accepted = { api: acceptedBy(clients.api), smtp: acceptedBy(clients.smtp), event: acceptedBy(clients.event) };
    await ended(platform, { campaign, automation, enrolled: accepted.event.length });
    await cluster.whole();
    const figures: Figures = [
      ['seed', seed],
      ['what failed', failed.join(', ')],
      ['messages sent when the last failure was over', sentMeanwhile],
      ['seconds', Math.round((performance.now() - began) / 1_000)],
      ['pieces that black holes swallowed', wires.reduce((sum, { swallowed }) => sum + swallowed, 0)],
      ['processes that a balancer left out', balancers.api.leftOut + balancers.smtp.leftOut],
      ['requests that had to be repeated', all.reduce((sum, { again }) => sum + again, 0)],
      ['longest wait until one was accepted, seconds', (Math.max(...all.map(({ longestMs }) => longestMs)) / 1_000).toFixed(1)],
    ];
    return await judge(platform, { size, campaign, automation, accepted, figures });
  } finally {
    await cluster.stop();
  }
}

const acceptedBy = (clients: readonly Client[]): readonly string[] => clients.flatMap(({ accepted }) => accepted);

interface Paths {
  readonly campaign: string;
  readonly automation: string;
}

/** Resolves once nothing is left to do. */
async function ended(platform: Platform, { campaign, automation, enrolled }: Paths & { readonly enrolled: number }): Promise<void> {
  await eventually('the campaign is sent', async () => (await platform.get(campaign)).body?.data?.status === 'sent', LONGEST_MS);
  const isOver = async (): Promise<boolean> => (await platform.get(automation)).body?.data?.completed >= enrolled;
  await eventually('all executions are over', isOver, LONGEST_MS);
  await nothingWaits(LONGEST_MS);
}

interface Judged extends Paths {
  readonly size: Size;
  readonly accepted: Readonly<Record<Kind, readonly string[]>>;
  /** Those that are known before. */
  readonly figures: Figures;
}

/** Messages by where they come from, as their rows and as usage have them. */
async function bySource(): Promise<readonly [rows: string, usage: string]> {
  const sources = ['transactional', 'campaign', 'workflow'] as const;
  const rows = await Promise.all(sources.map((source) => EmailModel.countDocuments({ source, deliveredAt: { $gt: new Date(0) } })));
  const stripes = await UsageModel.find().lean();
  const usage = sources.map((source) => stripes.reduce((sum, { categories }) => sum + (categories[source] ?? 0), 0));
  return [rows.join(', '), usage.join(', ')];
}

async function judge(platform: Platform, { size, campaign, automation, accepted, figures }: Judged): Promise<Figures> {
  const { recipients, failures } = size;
  const [singles, enrolled] = [[...accepted.api, ...accepted.smtp], accepted.event];
  const all = recipients + singles.length + enrolled.length;
  const { addresses, repeats, others } = arrivedAt(platform.smtp);
  const lost = (wanted: readonly string[]): number => wanted.filter((to) => !addresses.has(to)).length;
  const reached = [...addresses].filter((to) => to.startsWith('user-')).length;
  const missing = [recipients - reached, lost(accepted.api), lost(accepted.smtp), lost(enrolled)].join(', ');
  const [events, statistics] = await deliveriesKnown(platform, all);
  const [rows, usage] = await bySource();
  const sent = (await done('No campaign', platform.get(campaign))) as { readonly delivered: number };
  const shown = (await done('No automation', platform.get(automation))) as Readonly<Record<'entered' | 'completed' | 'active', number>>;
  const executions = await ExecutionModel.countDocuments({ status: 'completed' });
  const signUps = (await done('No count', platform.get('/v1/events/stats?name=signed.up'))).total as number;
  const expected = [singles.length, recipients, enrolled.length].join(', ');
  const bound = boundOf(failures);
  const judged: Figures = [
    ...figures,
    [
      'accepted: recipients, over the API, over SMTP, events',
      [recipients, accepted.api.length, accepted.smtp.length, enrolled.length].join(', '),
    ],
    ['lost of these', missing],
    ['repeated', `${repeats} (bound ${bound})`],
    ['repeated with another Message-ID', others],
    ['delivered: single, campaign, automation: rows', rows],
    ['counted as used', usage],
    ['delivered: campaign, mail server, events, statistics', [sent.delivered, addresses.size, events, statistics].join(', ')],
    [
      'automation: events, entered, completed, active; rows',
      [signUps, shown.entered, shown.completed, shown.active, executions].join(', '),
    ],
  ];
  const agree =
    [rows, usage].every((counts) => counts === expected) &&
    [addresses.size, events, statistics].every((count) => count === all) &&
    [signUps, shown.entered, shown.completed, executions].every((count) => count === enrolled.length);
  const isKept = missing === '0, 0, 0, 0' && repeats <= bound && others === 0 && sent.delivered === recipients && shown.active === 0;
  if (!agree || !isKept) throw broken(judged);
  return judged;
}
