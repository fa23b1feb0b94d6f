import { DELIVERY_SHARDS, shardOf } from '../../../../src/contracts/delivery';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';
import { forTheFile } from '../../../support/run/for-the-file';

const CONNECTIONS = 4;
const MESSAGES = 400;
const LATENCY_MS = 150;

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
