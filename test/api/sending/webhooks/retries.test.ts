import { webhookRetryId, webhookShardOf } from '../../../../src/contracts/webhook';
import type { RetryOutlook } from '../../../../src/contracts/webhook';
import { CallGate } from '../../../../src/platform/http-client/gate';
import { newId } from '../../../../src/platform/core/ids';
import { nextDueAt } from '../../../../src/sending/webhooks/queue';
import { checkRetries, restartLostRetries } from '../../../../src/sending/webhooks/retries';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { refusing, withoutEndpointsAfterwards, aFreshReceiver, deliverDue, webhookCalls } from '../../../support/servers/webhooks';
import type { Receiver } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '1' } });
const receiver = aFreshReceiver(refusing(500));
withoutEndpointsAfterwards(app);
afterEach(() => {
  app.processes.start.mockReset().mockResolvedValue(undefined);
  app.processes.signal.mockClear();
});

const { api, deliver, deliveries, happen, patch, register } = webhookCalls(() => app);

const rowOf = (webhookId: string) => stored.webhooks.get(webhookId);
const look = (webhookId: string, aheadMs = 0): Promise<RetryOutlook | null> =>
  checkRetries(app.core, { webhookId, projectId: app.keys.projectId, now: Date.now() + aheadMs });
const startsOf = (webhookId: string): readonly object[] =>
  app.processes.start.mock.calls.flat().filter(({ workflowId }) => workflowId === webhookRetryId(webhookId));

async function failing(): Promise<string> {
  const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
  await happen();
  await deliver();
  return webhookId;
}

test('a first attempt that fails starts the workflow of its endpoint, under its ids; success starts none', async () => {
  const webhookId = await failing();
  const { projectId } = app.keys;
  expect(startsOf(webhookId)).toEqual([
    expect.objectContaining({
      workflow: 'webhookRetry',
      input: { webhookId, projectId },
      attributes: { projectId, webhookId },
      signal: 'wake',
      again: true,
    }),
  ]);
  receiver.answer = (res) => res.end();
  const { webhookId: healthy } = await register(receiver.url, { events: ['order.placed'] });
  await happen();
  await deliver();
  expect(startsOf(healthy)).toEqual([]);
});

test('a workflow that waits for hours learns of a failure whose next attempt is sooner, and of no other', async () => {
  const webhookId = await failing();
  await deliver(10_000);
  expect(startsOf(webhookId)).toHaveLength(1);
  await look(webhookId, 10_000);
  await happen();
  await deliver(10_000);
  expect(startsOf(webhookId)).toHaveLength(2);
});

test('what waits is counted, with the class of the last error and no word of the server', async () => {
  receiver.answer = (res) => res.writeHead(503).end('ada@example.com');
  const webhookId = await failing();
  await happen();
  await deliver();
  const [newest, oldest] = await deliveries(webhookId);
  const outlook = await look(webhookId);
  expect(outlook?.waiting).toEqual({
    deliveries: 2,
    isMore: false,
    since: oldest?.['createdAt'],
    lastError: 'HTTP 503',
    nextAttemptAt: [newest?.nextAttemptAt, oldest?.nextAttemptAt].sort()[0],
    pausedUntil: null,
  });
  expect(outlook?.waitMs).toBeGreaterThan(0);
});

test.each([
  ['a time-out', 'time-out', () => undefined],
  ['a connection that breaks', 'ECONNRESET', (res: Parameters<Receiver['answer']>[0]) => res.destroy()],
])('a last error of %s is shown as %s', async (_what, shown, answer) => {
  receiver.answer = answer;
  expect((await look(await failing()))?.waiting.lastError).toBe(shown);
});

test('the workflow keeps the time of its endpoint: it has the pump woken, which sleeps until then', async () => {
  const webhookId = await failing();
  const shard = webhookShardOf(webhookId);
  expect(await nextDueAt(shard)).toBeNull();
  app.processes.wakeWebhooks.mockClear();
  expect((await look(webhookId))?.waiting.nextAttemptAt).not.toBeNull();
  expect(app.processes.wakeWebhooks).not.toHaveBeenCalled();
  // As after a crash between the record of the delivery and that of its endpoint.
  await stored.webhooks.change(webhookId, { dueAt: new Date(Date.now() + 31_000) });
  expect((await look(webhookId, 6_000))?.waiting.nextAttemptAt).toBeNull();
  expect(app.processes.wakeWebhooks.mock.calls).toEqual([[shard]]);
  await deliver(6_000);
  expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
});

test('the retry of an endpoint ends when nothing waits any more', async () => {
  const webhookId = await failing();
  expect(await look(webhookId)).not.toBeNull();
  receiver.answer = (res) => res.end();
  await deliver(6_000);
  expect(await look(webhookId, 6_000)).toBeNull();
  expect((await rowOf(webhookId)).retryCheckAt).toBeUndefined();
});

describe('an endpoint that is', () => {
  const ends: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
    ['switched off', (id) => patch(id, { enabled: false })],
    ['deleted', (id) => api().delete(`/v1/webhooks/${id}`).expect(200)],
    [
      'switched off because it is gone',
      async () => {
        receiver.answer = (res) => res.writeHead(410).end();
        await deliver(6_000);
      },
    ],
  ];
  test.each(ends)('%s has its workflow look once more, and end', async (_how, end) => {
    const webhookId = await failing();
    await end(webhookId);
    await eventually('the workflow is signalled', () =>
      app.processes.signal.mock.calls.flat().some(({ workflowId }) => workflowId === webhookRetryId(webhookId)),
    );
    expect(await look(webhookId)).toBeNull();
    await eventually('the wish is granted', async () => (await stored.outbox.count()) === 0);
  });

  test('switched on again gets a workflow for what waited meanwhile', async () => {
    const webhookId = await failing();
    await patch(webhookId, { enabled: false });
    await patch(webhookId, { enabled: true });
    await deliver();
    expect(startsOf(webhookId)).toHaveLength(2);
    expect((await look(webhookId))?.waiting.deliveries).toBe(1);
  });
});

describe('where something died', () => {
  test('a workflow that was not started, or is lost, is started by the sweep, once a minute', async () => {
    app.processes.start.mockRejectedValue(new Error('Temporal is away'));
    const webhookId = await failing();
    app.processes.start.mockReset().mockResolvedValue(undefined);
    expect(await restartLostRetries(app.core)).toBe(0);
    await stored.webhooks.change(webhookId, { retryCheckAt: new Date(Date.now() - 1_000) });
    expect(await restartLostRetries(app.core)).toBe(1);
    expect(await restartLostRetries(app.core)).toBe(0);
    expect(startsOf(webhookId)).toHaveLength(1);
  });

  test('a failure that was not noted at its endpoint gets a workflow when a pump sees it', async () => {
    const webhookId = await failing();
    await stored.webhooks.change(webhookId, { $unset: { retryCheckAt: 1, lastError: 1 }, $set: { dueAt: new Date() } });
    await deliver();
    expect(startsOf(webhookId)).toHaveLength(2);
    expect((await look(webhookId))?.waiting).toMatchObject({ deliveries: 1, lastError: null });
  });

  test('a failure that comes while nothing is found does not go unseen', async () => {
    const webhookId = await failing();
    const found = stored.deliveries.collection.aggregate.bind(stored.deliveries.collection);
    const rows = await stored.deliveries.all({ webhookId });
    await stored.deliveries.remove({ webhookId });
    const late = jest.spyOn(stored.deliveries.collection, 'aggregate').mockImplementationOnce((...args: Parameters<typeof found>) => {
      const cursor = found(...args);
      const toArray = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        const nothing = await toArray();
        await stored.deliveries.collection.insertMany(rows.map((row) => ({ ...row, _id: newId('whd') })));
        await stored.webhooks.change(webhookId, { retryCheckAt: new Date(Date.now() + 1_000) });
        return nothing;
      };
      return cursor;
    });
    expect((await look(webhookId))?.waiting.deliveries).toBe(1);
    late.mockRestore();
  });
});

test('all is looked up by indexes', async () => {
  for (const collection of ['webhooks', 'webhook_deliveries']) {
    const plans = await queryPlans(collection, async () => {
      const webhookId = await failing();
      await look(webhookId, 10_000);
      await restartLostRetries(app.core);
    });
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  }
});

test('an endpoint that times out again and again is left alone for a while, which its workflow shows, and spends no attempt meanwhile', async () => {
  const calls = new CallGate(app.core.log, { pausesMs: [3_000], storm: 5, stormMs: 60_000 });
  const mute = await register(`${receiver.url}/mute`, { events: ['order.placed'] });
  receiver.answer = () => undefined;
  for (let n = 0; n < 12; n++) await happen();
  const core = { ...app.core, calls };
  await deliverDue(core);
  const tried = receiver.received.length;
  expect(tried).toBeLessThan(12);
  const { pausedUntil } = await rowOf(mute.webhookId);
  const outlook = await look(mute.webhookId);
  expect(outlook?.waiting.pausedUntil).toBe(pausedUntil?.toISOString());
  expect(outlook?.waitMs).toBeGreaterThan(500);

  const well = await register(`${receiver.url}/well`, { events: ['order.placed'] });
  receiver.answer = (res) => res.end();
  await happen();
  await deliverDue(core);
  expect(await deliveries(well.webhookId)).toMatchObject([{ status: 'succeeded' }]);
  expect(receiver.received.filter(({ path }) => path === '/mute')).toHaveLength(tried);
  expect(new Set((await deliveries(mute.webhookId)).map(({ attempts }) => attempts))).toEqual(new Set([0, 1]));

  await eventually('it may be called again', () => calls.restMs({ kind: 'delivery', ...placeOf(mute.webhookId) }) === 0);
  await deliverDue(core, 20_000);
  expect(new Set((await deliveries(mute.webhookId)).map(({ status }) => status))).toEqual(new Set(['succeeded']));
});

const placeOf = (webhookId: string) => ({ webhookId, projectId: app.keys.projectId, host: new URL(receiver.url).host });
