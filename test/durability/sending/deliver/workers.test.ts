import { DELIVERY_SHARDS, shardOf } from '../../../../src/contracts/delivery';
import { insertPeople } from '../../../support/data/people';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';
import { forTheFile } from '../../../support/run/for-the-file';

const CONNECTIONS = 4;
const MESSAGES = 400;
const LATENCY_MS = 150;
const PEOPLE = 500;
/** Of a campaign of 500, this many messages may arrive while a single message waits: fifteen for each connection. */
const OVERTAKEN = 60;

const platform = aPlatform({ env: { SMTP_CONNECTIONS: String(CONNECTIONS) } });
const second = forTheFile(
  () => Promise.resolve(new Part('worker/main.ts', platform.env, 'Worker is ready')),
  (part) => part.stop(),
);

async function accept(name: string): Promise<void> {
  const messages = Array.from({ length: MESSAGES }, (_, n) => ({
    to: `${name}-${n}@example.com`,
    from: 'hello@hello.test',
    subject: 'Hello',
    html: '<p>Hello</p>',
  }));
  expect((await platform.post('/v1/send/batch', { messages })).status).toBe(200);
}

const arrived = (name: string) => platform.smtp.messages.filter(({ to }) => to.startsWith(`${name}-`));

async function begin(): Promise<string> {
  const draft = { name: 'Load', subject: 'News', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
  const { body } = await platform.post('/v1/campaigns', draft);
  const path = `/v1/campaigns/${body.data.campaignId as string}`;
  expect((await platform.post(`${path}/send`, {})).status).toBe(200);
  return path;
}

const isSent = (path: string) => platform.get(path).then(({ body }) => body.data.status === 'sent');

/**
 * How many messages of the campaign arrive while a single message waits: of at most twenty, sent one after another until the campaign is sent, three
 * quarters wait for no more.
 */
async function overtaken(path: string): Promise<number> {
  const counts: number[] = [];
  for (let index = 0; index < 20 && !(await isSent(path)); index++) {
    const to = `single-${index}@single.test`;
    await platform.send(to, { createContact: false });
    const before = platform.smtp.messages.length;
    await eventually(`${to} has its message`, () => platform.arrived(to).length > 0);
    counts.push(platform.smtp.messages.findIndex((message) => message.to === to) - before);
  }
  return counts.sort((a, b) => a - b)[Math.ceil(counts.length * 0.75) - 1] ?? Number.NaN;
}

test('a message that is sent while a campaign runs does not wait behind it', async () => {
  // Connections are what is scarce then, not this machine.
  platform.smtp.script = { dot: { delayMs: 20 } };
  await insertPeople(platform.keys.projectId, PEOPLE);
  const path = await begin();
  await eventually('the campaign is under way', () => platform.smtp.messages.length > 0);
  expect(await overtaken(path)).toBeLessThanOrEqual(OVERTAKEN);
  await eventually('the campaign is sent', () => isSent(path));
});

test('a worker that joins takes its half of the mail of one project, and what it leaves behind goes out', async () => {
  let take = (): void => undefined;
  platform.smtp.script = { dot: { until: new Promise<void>((resolve) => (take = resolve)) } };
  await accept('joined');
  await eventually('the first worker sends', () => platform.smtp.counts.finalDots > 0);
  await second.start();
  await eventually('both send', async () => (await stored.emails.distinct('attempt.worker', { status: 'sending' })).length === 2);
  platform.smtp.script = { dot: { delayMs: LATENCY_MS } };
  take();
  await eventually('all have arrived', () => arrived('joined').length === MESSAGES);
  expect(new Set(arrived('joined').map(({ to }) => to)).size).toBe(MESSAGES);
  expect(await stored.workers.count({ takesPumps: true })).toBe(2);

  await accept('lost');
  await eventually('both send again', () => arrived('lost').length > 60);
  await second.kill9();
  await eventually('all have arrived', () => new Set(arrived('lost').map(({ to }) => to)).size === MESSAGES, 100_000);
  expect(arrived('lost').length - MESSAGES).toBeLessThanOrEqual(CONNECTIONS);
});

test('a few messages stay in the shard of their project, and many are in all shards', async () => {
  platform.smtp.script = {};
  const few = await Promise.all(Array.from({ length: 3 }, (_, n) => platform.send(`few-${n}@example.com`)));
  expect(await stored.emails.distinct('shard', { _id: { $in: few } })).toEqual([shardOf(platform.keys.projectId)]);
  await accept('many');
  expect((await stored.emails.distinct('shard', { to: /^many-/ })).length).toBe(DELIVERY_SHARDS);
  await eventually('all have arrived', () => arrived('few').length === 3 && arrived('many').length === MESSAGES);
});
