import { aProject } from '../../../support/platform/app';
import { aReceiver, webhookCalls } from '../../../support/servers/webhooks';
import type { Received } from '../../../support/servers/webhooks';

const app = aProject({ config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
const receiver = aReceiver();

const { api, deliver, deliveries, patch, register } = webhookCalls(() => app);
const last = (): Received => receiver.received.at(-1) as Received;
const tryOut = (webhookId: string, key?: string) => api(key).post(`/v1/webhooks/${webhookId}/test`);

test('a test event reaches an endpoint that listens to something else, signed, and is a delivery as any other but no event', async () => {
  const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
  const { body } = await tryOut(webhookId).expect(202);
  expect(body.data).toMatchObject({ webhookId, eventName: 'webhook.test', status: 'pending', replayOf: null });
  await deliver();
  const { eventId } = body.data;
  expect(last().body).toMatchObject({ id: eventId, type: 'webhook.test', testMode: true, data: { webhookId } });
  expect(last().headers).toMatchObject({ 'webhook-id': eventId, 'x-service-signature': expect.stringMatching(/^t=\d+,v1=/) });
  expect(await deliveries(webhookId)).toMatchObject([{ eventName: 'webhook.test', status: 'succeeded' }]);
  expect((await api().get('/v1/events?name=webhook.test').expect(200)).body.data).toEqual([]);
});

test('a test event is refused while the endpoint is off, and for one of another project', async () => {
  const { webhookId } = await register(receiver.url);
  await tryOut(webhookId, app.otherKeys.secret).expect(404);
  await patch(webhookId, { enabled: false });
  expect((await tryOut(webhookId).expect(409)).body.code).toBe('invalid_state');
  expect(await deliveries(webhookId)).toEqual([]);
});
