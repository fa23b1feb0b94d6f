import type { WorkflowExecutionInfo } from '@temporalio/client';
import { webhookRetryId } from '../../../../src/contracts/webhook';
import { databaseNow } from '../../../../src/platform/mongo/clock';
import { newId } from '../../../../src/platform/core/ids';
import { enqueue, newDelivery } from '../../../../src/sending/webhooks/queue';
import { aPlatform, eventually } from '../../../support/platform/platform';
import { aTemporalClient } from '../../../support/platform/platform-parts';
import { aReceiver } from '../../../support/servers/webhooks';
import type { Received, ShownDelivery, ShownWebhook } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

jest.setTimeout(240_000);

const EVENTS = 40;

const receiver = aReceiver();
const platform = aPlatform({
  env: {
    WEBHOOK_ALLOW_INSECURE: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_TIMEOUT_SECONDS: '2',
    WEBHOOK_RETRY_SECONDS: '5,10,10,10,10,10,10,10',
  },
});
const client = aTemporalClient(platform);

async function register(path: string, events: readonly string[]): Promise<ShownWebhook> {
  const { status, body } = await platform.post('/v1/webhooks', { url: receiver.url + path, events });
  if (status !== 201) throw new Error(`Not registered: ${status} ${JSON.stringify(body)}`);
  return body.data as ShownWebhook;
}

const at = (path: string): Received[] => receiver.received.filter((request) => request.path === path);
const deliveriesOf = async (id: string, status: string): Promise<ShownDelivery[]> =>
  (await platform.get(`/v1/webhooks/${id}/deliveries?limit=100&status=${status}`)).body.data as ShownDelivery[];

test('webhooks of a message come as it is recorded', async () => {
  const { webhookId } = await register('/mail', ['email.*']);
  const id = await platform.send('ada@example.com');
  await eventually('all three are delivered', () => at('/mail').length === 3);
  const received = at('/mail').map(({ body }) => [body.type, body.data.email.emailId, body.data.contact.email]);
  expect(received.sort()).toEqual(['email.delivered', 'email.queued', 'email.sent'].map((name) => [name, id, 'ada@example.com']));
  const delivered = at('/mail').find(({ body }) => body.type === 'email.delivered');
  expect(delivered?.body.data.email).toEqual((await platform.get('/v1/emails?to=ada@example.com')).body.data[0]);
  expect(await eventually('all is recorded', async () => (await deliveriesOf(webhookId, 'succeeded')).length === 3)).toBe(true);
});

test('a worker killed in the middle loses no delivery, and repeats deliveries in the same bytes', async () => {
  const { webhookId } = await register('/killed', ['step']);
  receiver.answer = (res) => setTimeout(() => res.end(), 100);
  for (let n = 0; n < EVENTS; n++) await platform.post('/v1/events', { name: 'step', email: `p${n}@example.com`, data: { n } });
  await eventually('some are delivered', () => at('/killed').length >= 12);
  await platform.worker.kill9();
  receiver.answer = (res) => res.end();
  await platform.worker.start();
  await eventually('all are delivered', async () => (await deliveriesOf(webhookId, 'succeeded')).length === EVENTS);
  const bodies = new Map<string, string>();
  for (const { headers, raw } of at('/killed')) {
    const id = String(headers['webhook-id']);
    expect(raw.toString()).toBe(bodies.get(id) ?? raw.toString());
    bodies.set(id, raw.toString());
  }
  expect(bodies.size).toBe(EVENTS);
  // What was on the wire when it was killed, and no more.
  expect(at('/killed').length).toBeLessThanOrEqual(EVENTS + 10);
  expect(new Set((await deliveriesOf(webhookId, 'succeeded')).map(({ attempts }) => attempts))).toEqual(new Set([1]));
});

test('deliveries without a wake-up are found by the sweep', async () => {
  const { webhookId } = await register('/forgotten', ['nothing']);
  const { projectId } = platform.keys;
  const given = { _id: newId('whd'), projectId, webhookId, eventId: newId('evt'), eventName: 'nothing', body: '{}', replayOf: null };
  const now = await databaseNow();
  // This process stores and does not wake, as one that was killed right after it.
  await enqueue([newDelivery(given, now)], now);
  await eventually('it is delivered', () => at('/forgotten').length === 1);
  expect(at('/forgotten')).toHaveLength(1);
});

test('what failed is tried again on schedule, by a pump that slept meanwhile; a deleted endpoint leaves nothing', async () => {
  const { webhookId } = await register('/deleted', ['step']);
  receiver.answer = (res, { path }) => res.writeHead(path === '/deleted' ? 500 : 200).end();
  await platform.post('/v1/events', { name: 'step', email: 'last@example.com' });
  await eventually('it is delivered again', () => at('/deleted').length === 2);
  expect(at('/deleted').map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
  expect((await platform.request('DELETE', `/v1/webhooks/${webhookId}`)).body).toEqual({ success: true, data: { success: true } });
  expect((await platform.get(`/v1/webhooks/${webhookId}/deliveries`)).status).toBe(404);
  await eventually('its deliveries are gone', async () => (await stored.deliveries.count({ webhookId })) === 0);
  expect(await stored.deliveries.count({ webhookId })).toBe(0);
});

test('an endpoint with retries has a workflow that is found by its ids, says what waits, is replaced when it is lost, and ends', async () => {
  const { webhookId } = await register('/stumbling', ['stumble']);
  receiver.answer = (res, { path }) => res.writeHead(path === '/stumbling' ? 503 : 200).end();
  const running = async (): Promise<WorkflowExecutionInfo | undefined> => {
    const query = `WebhookId = "${webhookId}" AND ProjectId = "${platform.keys.projectId}" AND ExecutionStatus = "Running"`;
    for await (const execution of client.workflow.list({ query })) return execution;
    return undefined;
  };
  await platform.post('/v1/events', { name: 'stumble', email: 'ada@example.com' });
  const first = await eventually('it is found, with what waits', async () => {
    const found = await running();
    return found?.memo?.['deliveries'] === 1 ? found : null;
  });
  expect(first.workflowId).toBe(webhookRetryId(webhookId));
  expect(first.memo).toMatchObject({ lastError: 'HTTP 503', since: expect.stringMatching(/^\d{4}-.*Z$/) });

  await client.workflow.getHandle(first.workflowId).terminate('test');
  await stored.webhooks.change(webhookId, { retryCheckAt: new Date() });
  // The list shows a workflow that was ended for a moment longer.
  const second = await eventually('the sweep has started another one', async () => {
    const found = await running();
    return found?.runId === first.runId ? undefined : found;
  });
  expect(second.workflowId).toBe(first.workflowId);

  receiver.answer = (res) => res.end();
  await eventually('it is delivered', async () => (await deliveriesOf(webhookId, 'succeeded')).length === 1);
  await eventually('the workflow has ended', async () => (await running()) === undefined, 30_000);
  expect((await client.workflow.getHandle(first.workflowId).describe()).status.name).toBe('COMPLETED');
});
