import { listGaps } from '../../../../src/sending/webhooks/deliveries';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { rowsOf } from '../../../support/calls/lists';
import { aFreshReceiver, refusing, webhookCalls, withoutEndpointsAfterwards } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const receiver = aFreshReceiver();
withoutEndpointsAfterwards(app);

const { deliver, deliveries, happen, patch, register } = webhookCalls(() => app);

const DAY_MS = 86_400_000;
const window = () => ({ from: new Date(Date.now() - DAY_MS).toISOString(), to: new Date(Date.now() + 60_000).toISOString() });

interface Gap {
  readonly eventId: string;
  readonly name: string;
  readonly at: string;
  readonly status: string;
  readonly attempts: number;
  readonly deliveryId: string;
}
const gaps = (webhookId: string, query: object = {}): Promise<Gap[]> => rowsOf<Gap>(app.api(), `/v1/webhooks/${webhookId}/gaps`, query);
const replay = (webhookId: string, body: object) => app.api().post(`/v1/webhooks/${webhookId}/replay`).send(body);
const replayed = async (webhookId: string, body: object = window()): Promise<number> =>
  (await replay(webhookId, body).expect(202)).body.data.replayed as number;

/** Has the deliveries that wait fail for good. */
const giveUp = async (): Promise<void> => {
  await stored.deliveries.changeAll({ status: 'pending' }, { attempts: 8 });
  await deliver(10 * 60_000);
};

describe('gaps', () => {
  test('are what waits and what failed, with when it was received, and not what succeeded', async () => {
    const { webhookId } = await register(receiver.url);
    await happen();
    await deliver();
    receiver.answer = refusing(500);
    const failed = await happen('order.failed');
    await giveUp();
    const waits = await happen('order.waits');
    const found = await gaps(webhookId);
    const named = found.filter(({ name }) => name.startsWith('order.'));
    expect(named).toEqual([
      expect.objectContaining({ eventId: waits, name: 'order.waits', status: 'pending', attempts: 0 }),
      expect.objectContaining({ eventId: failed, name: 'order.failed', status: 'failed', attempts: 9 }),
    ]);
    const receipt = await stored.events.one(failed);
    expect(named[1]?.at).toBe(receipt?.receivedAt.toISOString());
  });

  test('of a lossy endpoint are exactly what it did not get', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const got = new Set<string>();
    receiver.answer = (res, { body }) => {
      if (body.data.n % 3 === 0) return void res.writeHead(500).end();
      got.add(body.id as string);
      res.end();
    };
    const all: string[] = [];
    for (let n = 0; n < 12; n++) all.push(await happen('order.placed', { email: 'ada@example.com', data: { n } }));
    for (let hours = 0; hours < 30; hours++) await deliver(hours * 3_600_000);
    expect((await gaps(webhookId)).map(({ eventId }) => eventId).sort()).toEqual(all.filter((id) => !got.has(id)).sort());
    expect(got.size).toBe(8);
  });

  test('end with a replay that succeeds, also a replay of a replay', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await giveUp();
    const [first] = await deliveries(webhookId);
    const again = async (deliveryId: string | undefined): Promise<string> =>
      (await app.api().post(`/v1/webhooks/${webhookId}/deliveries/${deliveryId}/replay`).expect(202)).body.data.deliveryId as string;
    const second = await again(first?.deliveryId);
    await giveUp();
    expect(await gaps(webhookId)).toHaveLength(1);
    receiver.answer = (res) => res.end();
    await again(second);
    await deliver();
    expect(await gaps(webhookId)).toEqual([]);
    expect(await replayed(webhookId)).toBe(0);
  });

  test('come in pages, along the index, within a window of receipts', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await happen());
    expect((await gaps(webhookId, { limit: 2 })).map(({ eventId }) => eventId)).toEqual([...ids].reverse());
    const [, , at] = [...(await gaps(webhookId))].reverse().map((gap) => gap.at);
    const before = await gaps(webhookId, { to: at });
    const since = await gaps(webhookId, { from: at });
    expect(before.length + since.length).toBe(5);
    expect(before.every((gap) => gap.at < (at ?? '')) && since.every((gap) => gap.at >= (at ?? ''))).toBe(true);
    const ctx = { projectId: app.keys.projectId } as never;
    const plans = await queryPlans('webhook_deliveries', () => listGaps(ctx, webhookId, {}, { limit: 2, after: null }));
    expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN.*status/), sorted: false }]);
  });
});

describe('the replay of a window', () => {
  test('delivers what failed again, from the first attempt, in the same bytes; once however often it is asked', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    const eventId = await happen();
    await giveUp();
    const [before] = receiver.received;
    receiver.answer = (res) => res.end();
    receiver.received.length = 0;
    const answers = await Promise.all([replayed(webhookId), replayed(webhookId)]);
    expect([...answers].sort()).toEqual([0, 1]);
    expect(await replayed(webhookId)).toBe(0);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.raw).toEqual(before?.raw);
    expect(receiver.received[0]?.headers).toMatchObject({ 'webhook-id': eventId, 'x-service-attempt': '1' });
    expect(await deliveries(webhookId)).toMatchObject([{ eventId, status: 'succeeded', attempts: 1 }]);
    expect(await gaps(webhookId)).toEqual([]);
  });

  test('takes what failed, what succeeded, or both; never what waits', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const succeeded = await happen();
    await deliver();
    receiver.answer = refusing(500);
    await happen();
    await giveUp();
    await happen();
    expect(await replayed(webhookId, { ...window(), status: 'succeeded' })).toBe(1);
    expect((await gaps(webhookId)).map(({ eventId }) => eventId)).toContain(succeeded);
    expect(await replayed(webhookId, { ...window(), status: 'all' })).toBe(1);
    expect(await replayed(webhookId, { ...window(), status: 'all' })).toBe(0);
    expect(await deliveries(webhookId, '?status=pending')).toHaveLength(3);
  });

  test('goes by the receipt of the event', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await giveUp();
    const [gap] = await gaps(webhookId);
    const at = gap?.at ?? '';
    const next = new Date(Date.parse(at) + 1).toISOString();
    expect(await replayed(webhookId, { from: '2026-01-01T00:00:00Z', to: at })).toBe(0);
    expect(await replayed(webhookId, { from: next, to: '2099-01-01T00:00:00Z' })).toBe(0);
    expect(await replayed(webhookId, { from: at, to: next })).toBe(1);
  });

  test('leaves out what was erased', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    await happen();
    await giveUp();
    await stored.deliveries.changeAll({ webhookId }, { body: null });
    expect(await replayed(webhookId)).toBe(0);
  });

  test('is refused where the endpoint is off, the window is empty, or too much is in it', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const empty = await replay(webhookId, { from: window().to, to: window().from }).expect(422);
    expect(empty.body.details).toEqual([expect.objectContaining({ path: 'to', code: 'invalid_combination' })]);
    await happen();
    await deliver();
    const [row] = await stored.deliveries.all({ webhookId });
    await stored.deliveries.collection.insertMany(
      Array.from({ length: 10_000 }, (_, n) => ({ ...row, _id: `${row?._id.slice(0, -5)}${String(n).padStart(5, '0')}` })) as never[],
      { ordered: false },
    );
    const much = await replay(webhookId, { ...window(), status: 'succeeded' }).expect(422);
    expect(much.body.details).toEqual([expect.objectContaining({ path: 'to', code: 'too_big' })]);
    await stored.deliveries.remove({ webhookId, _id: { $ne: String(row?._id) } });
    await patch(webhookId, { enabled: false });
    expect((await replay(webhookId, { ...window(), status: 'all' }).expect(409)).body.code).toBe('invalid_state');
    expect(await deliveries(webhookId)).toMatchObject([{ status: 'succeeded' }]);
  });
});
