import { webhookPumpId, webhookShardOf } from '../../../../src/contracts/webhook';
import { sweepErasures } from '../../../../src/audience/contacts/erasures';
import { listeningOf } from '../../../../src/records/events/listeners';
import { databaseNow } from '../../../../src/platform/mongo/clock';
import { listen } from '../../../../src/platform/wake-ups';
import { recordAttempt, take, wakeOverdueWebhooks } from '../../../../src/sending/webhooks/queue';
import { removeDeliveriesOf } from '../../../../src/sending/webhooks/service';
import { webhookDeliveries } from '../../../../src/sending/webhooks/event-deliveries';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import {
  withoutEndpointsAfterwards,
  aFreshReceiver,
  deliverDue,
  handOnAll,
  quickHost,
  webhookCalls,
} from '../../../support/servers/webhooks';
import type { ShownWebhook } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const receiver = aFreshReceiver();
withoutEndpointsAfterwards(app);

const { api, deliver, deliveries, happen, register, webhook } = webhookCalls(() => app);
const LEASE_MS = 31_000;
const rowOf = (webhookId: string) => stored.deliveries.get({ webhookId });

/** Hands an event on that was handed on before. */
async function handOnAgain(eventId: string): Promise<void> {
  const event = await stored.events.get(eventId);
  const { version } = await listeningOf(event.projectId);
  // As it was stored: the first time that it was handed on has removed what the fan-out needs.
  await webhookDeliveries.handle(app.core, { ...event, fanOutVersion: version }, version);
}

describe('an event that is handed on again', () => {
  test('is one delivery, in the bytes of the first time, whenever it comes', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const eventId = await happen();
    const { body } = await rowOf(webhookId);
    await api().post('/v1/contacts').send({ email: 'ada@example.com', firstName: 'Changed' });
    await Promise.all([handOnAgain(eventId), handOnAgain(eventId)]);
    await deliver();
    await handOnAgain(eventId);
    await deliver();
    expect(receiver.received.map(({ raw }) => raw.toString())).toEqual([body]);
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  test('reaches its endpoint when the process died before it lowered the endpoint’s dueAt', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const eventId = await happen();
    await stored.webhooks.change(webhookId, { $unset: { dueAt: 1 } });
    await deliver();
    expect(receiver.received).toHaveLength(0);
    await handOnAgain(eventId);
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('two pumps at the same time', () => {
  test('make each delivery once', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    for (let n = 0; n < 6; n++) await happen();
    receiver.answer = (res) => setTimeout(() => res.end(), 30);
    await Promise.all([deliver(), deliver()]);
    expect(receiver.received).toHaveLength(6);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(6);
    expect(await deliveries(webhookId, '?status=succeeded')).toHaveLength(6);
  });
});

describe('a delivery whose process died', () => {
  test('is taken over when its lease is over, under the number of the same attempt', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    await happen();
    const now = await databaseNow();
    const { _id } = await rowOf(webhookId);
    expect(await take(webhookId, [_id], now, new Date(now.getTime() + 30_000))).toHaveLength(1);
    expect(await take(webhookId, [_id], now, new Date(now.getTime() + 30_000))).toHaveLength(0);
    await deliver();
    expect(receiver.received).toHaveLength(0);
    await deliver(LEASE_MS);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1']);
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  test('and lived after all, changes nothing any more', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    await happen();
    const now = await databaseNow();
    const { _id } = await rowOf(webhookId);
    const [late] = await take(webhookId, [_id], now, now);
    await deliver(1_000);
    const result = {
      status: 'failed' as const,
      responseStatus: 500,
      responseBody: 'late',
      error: 'late',
      latencyMs: 1,
      nextAttemptAt: null,
    };
    expect(late && (await recordAttempt(late, result, now))).toBe(false);
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded', attempts: 1, error: null }]);
  });

  test('is found by the sweep, which wakes the pump of its shard unless it is awake', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    await happen();
    expect(await wakeOverdueWebhooks(app.core)).toBe(0);
    await stored.webhooks.change(webhookId, { dueAt: new Date(Date.now() - 4_000) });
    app.processes.wakeWebhooks.mockClear();
    expect(await wakeOverdueWebhooks(app.core)).toBe(1);
    expect(app.processes.wakeWebhooks.mock.calls).toEqual([[webhookShardOf(webhookId)]]);
    await listen(webhookPumpId(webhookShardOf(webhookId)), 'pmp_1');
    expect(await wakeOverdueWebhooks(app.core)).toBe(0);
  });
});

describe('what comes while a pump is at work', () => {
  test('is not overlooked: many events from concurrent writers are each delivered once', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    let stopped = false;
    const pumping = (async () => {
      while (!stopped) await deliver();
    })();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 4; n++) await api().post('/v1/events').send({ name: 'order.placed', email: 'ada@example.com' }).expect(201);
        await handOnAll(app.core);
      }),
    );
    await handOnAll(app.core);
    await eventually('all are delivered', async () => (await stored.deliveries.count({ webhookId, status: 'succeeded' })) === 16);
    stopped = true;
    await pumping;
    expect(receiver.received).toHaveLength(16);
    // Nothing waits, and no pump is asked to look again.
    expect((await stored.webhooks.one(webhookId))?.dueAt).toBeUndefined();
  });

  test('and is on the wire when its process is stopped, is recorded', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    await happen();
    const host = quickHost(app.core);
    let answer: () => void = () => undefined;
    receiver.answer = (res) => (answer = () => res.end());
    const running = deliverDue(app.core, 0, host);
    await eventually('it is on the wire', () => receiver.received.length === 1);
    const stopped = host.stop();
    answer();
    await Promise.all([stopped, running]);
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });
});

/** Ids are random, and so are their shards: an endpoint in another shard goes, since a project may have only so many. */
async function registerInShard(shard: number, url: string): Promise<ShownWebhook> {
  for (;;) {
    const webhook = await register(url, { events: ['order.placed'] });
    if (webhookShardOf(webhook.webhookId) === shard) return webhook;
    await api().delete(`/v1/webhooks/${webhook.webhookId}`).expect(200);
  }
}

test('an endpoint that never answers delays no other, not even in its shard', async () => {
  const dead = await register(`${receiver.url}/dead`, { events: ['order.placed'] });
  const healthy = await registerInShard(webhookShardOf(dead.webhookId), `${receiver.url}/healthy`);
  for (let n = 0; n < 12; n++) await happen();
  const hanging: (() => void)[] = [];
  receiver.answer = (res, { path }) => (path === '/dead' ? hanging.push(() => res.end()) : res.end());
  const running = deliver();
  await eventually('the healthy one has all', async () => (await deliveries(healthy.webhookId, '?status=succeeded')).length === 12);
  expect(hanging).toHaveLength(10);
  expect(await deliveries(dead.webhookId, '?status=pending')).toHaveLength(12);
  receiver.answer = (res) => res.end();
  for (const release of hanging) release();
  await running;
  expect(await deliveries(dead.webhookId, '?status=succeeded')).toHaveLength(12);
});

describe('a contact that is deleted', () => {
  test('is erased from what was delivered; what is on its way arrives, and is erased then', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed', 'contact.deleted'] });
    await happen('order.placed', { email: 'gone@example.com' });
    await deliver();
    receiver.answer = (res) => res.writeHead(500).end('gone@example.com');
    await happen('order.placed', { email: 'gone@example.com' });
    await deliver();
    await happen('order.placed', { email: 'kept@example.com' });
    await api().delete('/v1/contacts/gone@example.com').expect(200);
    await handOnAll(app.core);
    const holds = async (): Promise<number> =>
      (await stored.deliveries.all({ webhookId })).filter((row) => JSON.stringify(row).includes('gone@example.com')).length;
    expect(await holds()).toBe(1);
    receiver.answer = (res, { body }) => res.end(String(body.data.contact?.email));
    receiver.received.length = 0;
    await deliver(10_000);
    const [first] = receiver.received.filter(({ headers }) => headers['x-service-attempt'] === '2');
    expect(first?.body.data.contact.email).toBe('gone@example.com');
    expect(await holds()).toBe(0);
    await sweepErasures(app.core, new Date(Date.now() + 60_000));
    expect(await stored.deliveries.count({ webhookId, body: null })).toBe(2);
    const erased = await stored.deliveries.one({ webhookId, body: null });
    const refused = await api()
      .post(`/v1/webhooks/${webhookId}/deliveries/${erased?._id ?? ''}/replay`)
      .expect(409);
    expect(refused.body.code).toBe('invalid_state');
    expect(receiver.received.map(({ body }) => body.type).sort()).toEqual(['contact.deleted', 'order.placed', 'order.placed']);
  });
});

test('the deliveries of a deleted endpoint are removed in pages, deliveries of others stay', async () => {
  const [one, other] = [
    await register(receiver.url, { events: ['order.placed'] }),
    await register(receiver.url, { events: ['order.placed'] }),
  ];
  await happen();
  const { _id: _, ...row } = await rowOf(one.webhookId);
  await stored.deliveries.collection.insertMany(Array.from({ length: 2_100 }, (_row, n) => ({ ...row, _id: `whd_${n}` })));
  await stored.webhooks.remove(one.webhookId);
  const plans = await queryPlans('webhook_deliveries', () =>
    removeDeliveriesOf({ projectId: app.keys.projectId, webhookId: one.webhookId }, new AbortController().signal),
  );
  expect(plans.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
  expect(await stored.deliveries.count({ webhookId: one.webhookId })).toBe(0);
  expect(await deliveries(other.webhookId)).toHaveLength(1);
});

test('a pump looks everything up by indexes', async () => {
  await register(receiver.url, { events: ['order.placed'] });
  for (const collection of ['webhooks', 'webhook_deliveries']) {
    const plans = await queryPlans(collection, async () => {
      receiver.answer = (res) => res.writeHead(500).end();
      await happen();
      await deliver();
      await wakeOverdueWebhooks(app.core);
      await api().delete('/v1/contacts/ada@example.com').expect(200);
    });
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  }
});

test('a secret that cannot be opened fails the attempt, and no other endpoint', async () => {
  const [locked, open] = [
    await register(receiver.url, { events: ['order.placed'] }),
    await register(receiver.url, { events: ['order.placed'] }),
  ];
  await stored.webhooks.change(locked.webhookId, { secret: 'xx.AAAA' });
  await happen();
  await deliver();
  expect(await deliveries(locked.webhookId)).toMatchObject([{ status: 'pending', attempts: 1, error: 'The delivery could not be signed' }]);
  expect(await deliveries(open.webhookId)).toMatchObject([{ status: 'succeeded' }]);
  expect(await webhook(locked.webhookId)).toMatchObject({ enabled: true });
});
