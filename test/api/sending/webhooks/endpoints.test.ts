import type { ServerResponse } from 'node:http';
import { aProject } from '../../../support/platform/app';
import { isSigned } from '../../../support/checks/webhook-signatures';
import { handOnAll, refusing, lastOf, withoutEndpointsAfterwards, aFreshReceiver, webhookCalls } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({
  config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', DEV_VERIFIED_DOMAINS: 'hello.test' },
});
const receiver = aFreshReceiver();
withoutEndpointsAfterwards(app);

const { deliver, deliveries, happen, patch, register, webhook } = webhookCalls(() => app);

const DAY_MS = 86_400_000;

/** Answers nothing until this many requests are open at once; then each request a moment after it came, in which more would open. */
function onceOpen(many: number, answer: (res: ServerResponse) => void): (res: ServerResponse) => void {
  const waiting: ServerResponse[] = [];
  const answerSoon = (res: ServerResponse): void => void setTimeout(() => answer(res), 50);
  return (res) => {
    waiting.push(res);
    if (receiver.open.most >= many) waiting.splice(0).forEach(answerSoon);
  };
}

describe('an endpoint', () => {
  test('that is gone is switched off, and hears no more', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(410);
    await happen();
    await deliver();
    expect(await webhook(webhookId)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'failed', attempts: 1, responseStatus: 410, nextAttemptAt: null }]);
    await happen();
    await deliver(10_000);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries(webhookId)).toHaveLength(1);
    expect(await patch(webhookId, { enabled: true })).toMatchObject({ enabled: true, disabledReason: null });
    receiver.answer = (res) => res.end();
    await happen();
    await deliver(10_000);
    expect(await deliveries(webhookId, '?status=succeeded')).toHaveLength(1);
  });

  test('that is switched off keeps its log, records nothing, and gets what was pending when it is switched on', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    const pending = await happen();
    await deliver();
    expect(await patch(webhookId, { enabled: false })).toMatchObject({ enabled: false, disabledReason: null });
    await happen();
    await deliver(DAY_MS);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries(webhookId)).toMatchObject([{ eventId: pending, status: 'pending', attempts: 1 }]);
    receiver.answer = (res) => res.end();
    await patch(webhookId, { enabled: true });
    await deliver(DAY_MS);
    expect(await deliveries(webhookId)).toMatchObject([{ eventId: pending, status: 'succeeded', attempts: 2 }]);
  });

  test('gets ten deliveries at once, and one at a time after twenty failures in a row', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    for (let n = 0; n < 25; n++) await happen('order.placed', { email: 'ada@example.com', data: { n } });
    receiver.open.most = 0;
    receiver.answer = onceOpen(10, (res) => res.writeHead(500).end());
    await deliver();
    expect(receiver.received).toHaveLength(25);
    expect(receiver.open.most).toBe(10);
    receiver.open.most = 0;
    receiver.answer = onceOpen(1, (res) => res.writeHead(500).end());
    await deliver(10_000);
    expect(receiver.received).toHaveLength(50);
    expect(receiver.open.most).toBe(1);
    // The first success ends the wait of the others.
    receiver.answer = (first) => {
      receiver.answer = onceOpen(2, (res) => res.end());
      first.end();
    };
    await deliver(120_000);
    expect(receiver.open.most).toBeGreaterThan(1);
    expect(await deliveries(webhookId, '?status=succeeded')).toHaveLength(25);
  });

  test('without a success for five days is switched off; its pending deliveries go on when it is on again', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await deliver();
    await happen();
    await deliver(5 * DAY_MS - 60_000);
    expect(await webhook(webhookId)).toMatchObject({ enabled: true, disabledReason: null });
    await deliver(5 * DAY_MS + 60_000);
    expect(await webhook(webhookId)).toMatchObject({ enabled: false, disabledReason: 'failing' });
    const reached = receiver.received.length;
    await deliver(6 * DAY_MS);
    expect(receiver.received).toHaveLength(reached);
    receiver.answer = (res) => res.end();
    expect(await patch(webhookId, { enabled: true })).toMatchObject({ enabled: true, disabledReason: null });
    await deliver(6 * DAY_MS);
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  });

  test('that succeeds in between is not given up', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await deliver();
    receiver.answer = (res) => res.end();
    await happen();
    await deliver(4 * DAY_MS);
    receiver.answer = refusing(500);
    await happen();
    await deliver(6 * DAY_MS);
    expect(await webhook(webhookId)).toMatchObject({ enabled: true });
  });

  test('gets the next attempts at its new URL', async () => {
    const { webhookId } = await register(`${receiver.url}/old`, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await deliver();
    await patch(webhookId, { url: `${receiver.url}/new` });
    await deliver(10_000);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new']);
  });
});

test('both secrets of an endpoint sign for a day after a rotation, then the new one alone', async () => {
  const { webhookId, secret } = await register(receiver.url, { events: ['order.placed'] });
  const rotated = await patch(webhookId, { rotateSecret: true });
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(rotated.secret).not.toBe(secret);
  await happen();
  await deliver();
  for (const one of [secret, rotated.secret]) expect(isSigned(lastOf(receiver), one)).toEqual({ stripe: true, standard: true });
  expect(String(lastOf(receiver).headers['x-service-signature']).match(/v1=/g)).toHaveLength(2);
  const until = new Date(Date.now() - 1);
  await stored.webhooks.collection.updateOne({ _id: webhookId }, { $set: { 'retiring.0.until': until } });
  await happen();
  await deliver();
  expect(isSigned(lastOf(receiver), secret)).toEqual({ stripe: false, standard: false });
  expect(isSigned(lastOf(receiver), rotated.secret)).toEqual({ stripe: true, standard: true });
  expect(String(lastOf(receiver).headers['x-service-signature']).match(/v1=/g)).toHaveLength(1);
});

describe('an endpoint gets what was received while it was on', () => {
  /** Happens while no worker hands events on. */
  const late = async (): Promise<string> => {
    const event = { name: 'order.placed', email: 'ada@example.com' };
    return (await app.api().post('/v1/events').send(event).expect(201)).body.data.eventId as string;
  };
  const eventsOf = async (webhookId: string): Promise<readonly unknown[]> =>
    (await deliveries(webhookId)).map(({ eventId }) => eventId).reverse();

  test('not what came before it was registered', async () => {
    await register(receiver.url, { events: ['*'] });
    const before = await late();
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const after = await late();
    await handOnAll(app.core);
    await deliver();
    expect(await eventsOf(webhookId)).toEqual([after]);
    expect(await eventsOf(webhookId)).not.toContain(before);
  });

  test('not what came while it was off, and what came before that once it is on again', async () => {
    await register(receiver.url, { events: ['*'] });
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const first = await late();
    await patch(webhookId, { enabled: false });
    await late();
    await patch(webhookId, { enabled: true });
    const last = await late();
    await patch(webhookId, { enabled: false });
    await handOnAll(app.core);
    await deliver();
    expect(await deliveries(webhookId)).toMatchObject([
      { eventId: last, status: 'pending' },
      { eventId: first, status: 'pending' },
    ]);
    await patch(webhookId, { enabled: true });
    await handOnAll(app.core);
    await deliver();
    expect(await deliveries(webhookId, '?status=succeeded')).toHaveLength(2);
  });

  test('by the names that it listened to then', async () => {
    await register(receiver.url, { events: ['*'] });
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const heard = await late();
    await patch(webhookId, { events: ['cart.left'] });
    await late();
    await handOnAll(app.core);
    await deliver();
    expect(await eventsOf(webhookId)).toEqual([heard]);
  });
});
