import { webhookRetriesQuery, webhookRetryId } from '../../../../src/contracts/webhook';
import { webhookDeliveries } from '../../../../src/sending/webhooks/event-deliveries';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { aReceiver } from '../../../support/servers/webhooks';

const receiver = aReceiver();
const platform = aSkippingPlatform({ WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' }, [webhookDeliveries]);

async function call(route: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${platform.keys.secret}`, 'content-type': 'application/json' };
  const response = await fetch(platform.url + route, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

test('the endpoint’s workflow sleeps from attempt to attempt: nine of them in a day, then it is over', async () => {
  receiver.answer = (res) => res.writeHead(500).end();
  const made = await call('/v1/webhooks', { url: receiver.url, events: ['order.placed'] });
  const { webhookId } = made['data'] as { webhookId: string };
  await call('/v1/events', { name: 'order.placed', email: 'ada@example.com' });
  await eventually('the first attempt', () => receiver.received.length === 1);
  const delivery = async () => ((await call(`/v1/webhooks/${webhookId}/deliveries`))['data'] as readonly object[])[0];
  await platform.env.sleep('30 minutes');
  expect(await eventually('the attempts of half an hour', () => (receiver.received.length === 4 ? 4 : null))).toBe(4);
  await platform.env.sleep('27 hours');
  await eventually('the last attempt is recorded', async () => ((await delivery()) as { status: string }).status === 'failed');
  expect(receiver.received.map(({ headers }) => Number(headers['x-service-attempt']))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await delivery()).toMatchObject({ status: 'failed', attempts: 9, nextAttemptAt: null });
  await platform.env.sleep('1 minute');
  expect((await platform.env.client.workflow.getHandle(webhookRetryId(webhookId)).describe()).status.name).toBe('COMPLETED');
});

test('what fails while the workflow sleeps for hours is tried again in its own time', async () => {
  receiver.received.length = 0;
  const { webhookId } = (await call('/v1/webhooks', { url: receiver.url, events: ['order.paid'] }))['data'] as { webhookId: string };
  await call('/v1/events', { name: 'order.paid', email: 'ada@example.com' });
  const workflow = platform.env.client.workflow.getHandle(webhookRetryId(webhookId));
  await eventually('it has failed', async () => (await workflow.query(webhookRetriesQuery)) !== null);
  await platform.env.sleep('3 hours');
  await eventually('six attempts', () => receiver.received.length === 6);
  const inHours = (await workflow.query(webhookRetriesQuery))?.nextAttemptAt;
  expect(Date.parse(inHours ?? '')).toBeGreaterThan((await platform.env.currentTimeMs()) + 3_600_000);
  await call('/v1/events', { name: 'order.paid', email: 'bob@example.com' });
  await eventually('the other has failed too', async () => (await workflow.query(webhookRetriesQuery))?.deliveries === 2);
  await platform.env.sleep('7 seconds');
  await eventually('its second', () => receiver.received.length === 8);
  expect(receiver.received.at(-1)?.headers['x-service-attempt']).toBe('2');
  expect(await workflow.query(webhookRetriesQuery)).toMatchObject({ deliveries: 2, lastError: 'HTTP 500' });
});
