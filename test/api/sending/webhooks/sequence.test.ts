import mongoose from 'mongoose';
import { enqueue, newDelivery } from '../../../../src/sending/webhooks/queue';
import { listeningOf } from '../../../../src/records/events/listeners';
import { webhookDeliveries } from '../../../../src/sending/webhooks/event-deliveries';
import { aProject } from '../../../support/platform/app';
import { rowsOf } from '../../../support/calls/lists';
import { aFreshReceiver, refusing, webhookCalls, withoutEndpointsAfterwards } from '../../../support/servers/webhooks';
import type { Received, ShownWebhook } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const receiver = aFreshReceiver();
withoutEndpointsAfterwards(app);

const { deliver, happen, register } = webhookCalls(() => app);

const HOUR_MS = 3_600_000;
const ORDERS = { events: ['order.placed'] } as const;
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const ascending = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);
const sequenceOf = ({ headers }: Pick<Received, 'headers'>): number => Number(headers['x-service-sequence']);
const numbersOf = async (webhookId: string): Promise<number[]> =>
  ascending((await stored.deliveries.all({ webhookId, replayOf: null })).map(({ sequence }) => sequence));
const gaps = async (webhookId: string): Promise<number[]> => {
  const rows = await rowsOf<{ readonly sequence: number }>(app.api(), `/v1/webhooks/${webhookId}/gaps`);
  return ascending(rows.map(({ sequence }) => sequence));
};
const shown = async (webhookId: string): Promise<ShownWebhook | undefined> => {
  const { body } = await app.api().get('/v1/webhooks').expect(200);
  return (body.data.data as ShownWebhook[]).find((webhook) => webhook.webhookId === webhookId);
};

test('each endpoint numbers its own events from 1 on, whatever another one hears', async () => {
  const orders = await register(receiver.url, ORDERS);
  const all = await register(receiver.url, { events: ['order.*'] });
  expect(orders).not.toHaveProperty('sequence');
  for (const name of ['order.placed', 'order.paid', 'order.placed']) await happen(name);
  await deliver();
  expect([await numbersOf(orders.webhookId), await numbersOf(all.webhookId)]).toEqual([upTo(2), upTo(3)]);
  expect(await shown(all.webhookId)).toMatchObject({ sequence: 3 });
  const { body } = await app.api().get(`/v1/webhooks/${all.webhookId}/deliveries`).expect(200);
  expect((body.data as { sequence: number }[]).map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
});

test('retries, replays and the replay of a window keep the number, and a test event has the next one', async () => {
  const { webhookId } = await register(receiver.url, ORDERS);
  receiver.answer = refusing(500);
  await happen();
  await deliver();
  await deliver(60_000);
  receiver.answer = (res) => res.end();
  await deliver(HOUR_MS);
  const [first] = await stored.deliveries.all({ webhookId });
  await app.api().post(`/v1/webhooks/${webhookId}/deliveries/${first?._id}/replay`).expect(202);
  await deliver();
  const window = { from: new Date(Date.now() - HOUR_MS).toISOString(), to: new Date(Date.now() + HOUR_MS).toISOString() };
  await app
    .api()
    .post(`/v1/webhooks/${webhookId}/replay`)
    .send({ ...window, status: 'succeeded' })
    .expect(202);
  await deliver();
  expect(receiver.received.length).toBeGreaterThan(4);
  expect(new Set(receiver.received.map(sequenceOf))).toEqual(new Set([1]));
  await app.api().post(`/v1/webhooks/${webhookId}/test`).expect(202);
  await happen();
  expect(await numbersOf(webhookId)).toEqual(upTo(3));
});

test('workers that store deliveries at once, some of them again and some killed, leave no gap and use no number twice', async () => {
  const { webhookId } = await register(receiver.url, ORDERS);
  const { projectId } = app.keys;
  const now = new Date();
  const delivery = (n: number) => ({
    _id: `whd_${webhookId}_${n}`,
    projectId,
    webhookId,
    eventId: `evt_${n}`,
    eventName: 'order.placed',
    contactId: undefined,
    body: '{}',
    replayOf: null,
  });
  const { prototype } = mongoose.mongo.ClientSession;
  const commit = prototype.commitTransaction;
  let commits = 0;
  jest.spyOn(prototype, 'commitTransaction').mockImplementation(async function (this: mongoose.mongo.ClientSession) {
    if (++commits % 5 === 0) throw new Error('killed');
    return commit.call(this);
  });
  // A worker that has an event again after a kill stores it again, with others.
  const worker = async (first: number): Promise<void> => {
    for (let n = first; n < first + 40; n += 4) {
      const rows = [n, n + 1, n + 2, n + 3].map((one) => newDelivery(delivery(one), now));
      while (
        !(await enqueue(rows, now).then(
          () => true,
          () => false,
        ))
      );
    }
  };
  await Promise.all([worker(0), worker(0), worker(20), worker(40)]);
  jest.restoreAllMocks();
  expect(await numbersOf(webhookId)).toEqual(upTo(80));
  expect((await shown(webhookId))?.['sequence']).toBe(80);
});

test('an event that is handed on again after a kill keeps its number', async () => {
  const { webhookId } = await register(receiver.url, ORDERS);
  await happen();
  const [event] = await stored.events.all({ name: 'order.placed' });
  const { version } = await listeningOf(app.keys.projectId);
  for (let again = 0; again < 3; again++) await webhookDeliveries.handle(app.core, event as never, version);
  await happen();
  expect(await numbersOf(webhookId)).toEqual(upTo(2));
});

test('over a day with a lossy receiver, what it got and the gaps are all numbers, and no number is in both', async () => {
  const { webhookId } = await register(receiver.url, ORDERS);
  const got = new Set<number>();
  let requests = 0;
  receiver.answer = (res, request) => {
    const sequence = sequenceOf(request);
    // Some events fail always, some at first, and some connections break.
    if (sequence % 7 === 0 || requests++ % 4 === 0) return void (requests % 2 === 0 ? res.destroy() : res.writeHead(503).end());
    got.add(sequence);
    res.end();
  };
  let last = 0;
  const check = async (): Promise<void> => {
    const open = await gaps(webhookId);
    expect(ascending([...got, ...open])).toEqual(upTo(last));
  };
  for (let hour = 0; hour < 24; hour++) {
    for (let n = 0; n < 2; n++, last++) await happen();
    await deliver(hour * HOUR_MS);
    await check();
  }
  expect(got.size).toBeGreaterThan(24);
  const missing = await gaps(webhookId);
  expect(missing).toEqual(expect.arrayContaining(upTo(last).filter((n) => n % 7 === 0)));
  receiver.answer = (res, request) => {
    got.add(sequenceOf(request));
    res.end();
  };
  await stored.deliveries.changeAll({ status: 'pending' }, { attempts: 8 });
  for (let hours = 24; hours < 40; hours++) await deliver(hours * HOUR_MS);
  await check();
  expect([await gaps(webhookId), got.size]).toEqual([[], last]);
});
