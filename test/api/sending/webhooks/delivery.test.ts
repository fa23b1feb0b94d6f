import { aProject } from '../../../support/platform/app';
import { isSigned } from '../../../support/checks/webhook-signatures';
import { refusing, lastOf, withoutEndpointsAfterwards, aFreshReceiver, webhookCalls } from '../../../support/servers/webhooks';

const app = aProject({
  config: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true', DEV_VERIFIED_DOMAINS: 'hello.test' },
});
const receiver = aFreshReceiver();
withoutEndpointsAfterwards(app);

const { api, deliver, deliveries, happen, patch, register } = webhookCalls(() => app);

const DAY_MS = 86_400_000;
const SCHEDULE_MS = [5_000, 60_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 28_800_000, 28_800_000];

describe('the request', () => {
  test('holds the event with its contact, signed in both schemes', async () => {
    const { webhookId, secret } = await register(`${receiver.url}/hook?a=1`);
    const contact = await api()
      .post('/v1/contacts')
      .send({ email: 'ada@example.com', firstName: 'Adä', data: { plan: 'pro' } });
    receiver.answer = (res) => res.writeHead(201).end('é'.repeat(2_000));
    const eventId = await happen('order.placed', { email: 'ada@example.com', data: { total: 42 } });
    await deliver();
    const [delivery] = await deliveries(webhookId);
    expect(lastOf(receiver)).toMatchObject({
      method: 'POST',
      path: '/hook?a=1',
      headers: {
        'content-type': 'application/json',
        'content-length': String(lastOf(receiver).raw.length),
        'x-service-event': 'order.placed',
        'x-service-delivery': delivery?.deliveryId,
        'x-service-attempt': '1',
        'webhook-id': eventId,
      },
    });
    expect(lastOf(receiver).body).toEqual({
      id: eventId,
      type: 'order.placed',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      projectId: app.keys.projectId,
      testMode: false,
      data: { total: 42, contact: contact.body.data },
    });
    expect(isSigned(lastOf(receiver), secret)).toEqual({ stripe: true, standard: true });
    expect(isSigned(lastOf(receiver), `${secret.slice(0, 10)}${secret[10] === 'A' ? 'B' : 'A'}${secret.slice(11)}`)).toEqual({
      stripe: false,
      standard: false,
    });
    expect(delivery).toEqual({
      deliveryId: expect.stringMatching(/^whd_/),
      webhookId,
      eventId,
      eventName: 'order.placed',
      sequence: expect.any(Number),
      status: 'succeeded',
      attempts: 1,
      responseStatus: 201,
      responseBody: 'é'.repeat(512),
      error: null,
      latencyMs: expect.any(Number),
      nextAttemptAt: null,
      replayOf: null,
      createdAt: expect.any(String),
      completedAt: expect.any(String),
    });
  });

  test('of a message holds it as lists show it, without its bodies', async () => {
    await register(receiver.url, { events: ['email.*'] });
    const { body } = await api()
      .post('/v1/send')
      .send({ to: 'bob@example.com', from: 'hello@hello.test', subject: 'Hi', html: '<p>Secret text</p>', headers: { 'X-A': 'b' } })
      .expect(200);
    const emailId = body.data.results[0].id as string;
    await happen('unheard');
    await deliver();
    const listed = await api().get('/v1/emails?to=bob@example.com').expect(200);
    expect(receiver.received.map(({ body: { type } }) => type)).toEqual(['email.queued']);
    expect(lastOf(receiver).body.data).toEqual({ source: 'transactional', email: listed.body.data[0], contact: expect.anything() });
    expect(lastOf(receiver).body.data.email.emailId).toBe(emailId);
    expect(lastOf(receiver).raw.toString()).not.toContain('Secret text');
  });

  test('of a test key says so', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    await happen('order.placed', { email: 'ada@example.com' }, app.keys.test);
    await deliver();
    expect(lastOf(receiver).body).toMatchObject({ testMode: true, data: { testMode: true } });
    expect(await deliveries(webhookId)).toHaveLength(1);
  });

  test('goes to endpoints that listen: to the name, to what it begins with, or to all', async () => {
    const named = await Promise.all(
      [['order.placed'], ['order.*'], ['order.placed.*'], ['*'], ['email.*', 'order.placed.late'], ['order.place']].map(async (events) => {
        const path = events.join();
        await register(`${receiver.url}/${path}`, { events });
        return `/${path}`;
      }),
    );
    await register(`${receiver.url}/off`, { events: ['*'], enabled: false });
    await happen('order.placed.late', { email: 'new@example.com', createContact: false });
    await deliver();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual([1, 2, 3, 4].map((at) => named[at]).sort());
  });

  test('holds 64 KiB at most: what gives way is named', async () => {
    await register(receiver.url, { events: ['big'] });
    const long = '"'.repeat(16_350);
    await api().post('/v1/contacts').send({ email: 'big@example.com', firstName: 'Big', data: { long } }).expect(201);
    await happen('big', { email: 'big@example.com', data: { long } });
    await happen('big', { email: 'big@example.com', data: { short: 1 } });
    await deliver();
    const [cut, whole] = receiver.received;
    expect(cut?.raw.length).toBeLessThanOrEqual(65_536);
    const { data, truncated } = cut?.body ?? {};
    expect([data.long === long, data.contact.firstName, data.contact.data, truncated]).toEqual([true, 'Big', null, ['data.contact.data']]);
    expect([whole?.body.data.contact.data.long === long, whole?.body.truncated]).toEqual([true, undefined]);
  });
});

describe('an attempt that fails', () => {
  test('is made again nine times in all, on schedule, in the same bytes, then it is over', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(500);
    const eventId = await happen();
    let aheadMs = 0;
    for (const [index, waitMs] of SCHEDULE_MS.entries()) {
      await deliver(aheadMs);
      const [delivery] = await deliveries(webhookId);
      expect(delivery).toMatchObject({
        status: 'pending',
        attempts: index + 1,
        responseStatus: 500,
        responseBody: 'no',
        completedAt: null,
      });
      const inMs = Date.parse(delivery?.nextAttemptAt ?? '') - Date.now() - aheadMs;
      // The attempt was a moment ago; how long ago is the machine's affair.
      expect(inMs).toBeLessThanOrEqual(waitMs * 1.1 + 1);
      expect(inMs).toBeGreaterThan(waitMs * 0.9 - 60_000);
      await deliver(aheadMs + Math.max(0, inMs - 2_000));
      expect(receiver.received).toHaveLength(index + 1);
      aheadMs += inMs + 1_000;
    }
    await deliver(aheadMs);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(new Set(receiver.received.map(({ raw }) => raw.toString())).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    const [over] = await deliveries(webhookId);
    expect(over).toMatchObject({ status: 'failed', attempts: 9, nextAttemptAt: null, completedAt: expect.any(String) });
    await deliver(aheadMs + 2 * DAY_MS);
    expect(receiver.received).toHaveLength(9);
  });

  test.each([
    ['an hour that was asked for', 503, () => '3600', 3_600_000],
    ['no more than an hour', 429, () => '86400', 3_600_000],
    ['until a date', 429, () => new Date(Date.now() + 1_800_000).toUTCString(), 1_800_000],
    ['no less than the schedule has it', 500, () => '1', 5_000],
    ['as the schedule has it when it is nonsense', 500, () => 'soon', 5_000],
  ])('waits %s', async (_what, status, retryAfter, waitMs) => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(status, { 'retry-after': retryAfter() });
    await happen();
    const before = Date.now();
    await deliver();
    const [delivery] = await deliveries(webhookId);
    const at = Date.parse(delivery?.nextAttemptAt ?? '');
    expect(at).toBeGreaterThan(before + waitMs * 0.9 - 60_000);
    expect(at).toBeGreaterThanOrEqual(before + Math.min(waitMs, 4_500));
    expect(at).toBeLessThan(Date.now() + waitMs * 1.1 + 1);
  });

  test('for a while only ends well: later events are delivered at once', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    receiver.answer = refusing(502);
    await happen();
    await deliver();
    receiver.answer = (res) => res.writeHead(204).end();
    await deliver(10_000);
    expect((await deliveries(webhookId))[0]).toMatchObject({ status: 'succeeded', attempts: 2, responseStatus: 204, error: null });
  });
});

test('a delivery shows the body of its calls, and of each attempt what came of it and how long that took', async () => {
  const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
  const wholeOf = (deliveryId: string, key?: string) => api(key).get(`/v1/webhooks/${webhookId}/deliveries/${deliveryId}`);
  await happen();
  const [{ deliveryId }] = (await deliveries(webhookId)) as unknown as [{ deliveryId: string }];
  expect((await wholeOf(deliveryId).expect(200)).body.data).toMatchObject({ latencyMs: null, tried: [] });
  receiver.answer = refusing(502);
  await deliver();
  receiver.answer = (res) => res.destroy();
  await deliver(10_000);
  receiver.answer = (res) => setTimeout(() => res.end(), 300);
  await deliver(100_000);
  const [listed] = await deliveries(webhookId);
  const { body } = await wholeOf(deliveryId).expect(200);
  const { tried, body: sent, ...summary } = body.data as Record<string, unknown> & { tried: { latencyMs: number }[] };
  expect(summary).toEqual(listed);
  expect(sent).toBe(lastOf(receiver).raw.toString());
  expect(tried).toEqual([
    { at: expect.any(String), responseStatus: 502, error: expect.any(String), latencyMs: expect.any(Number) },
    { at: expect.any(String), responseStatus: null, error: expect.any(String), latencyMs: expect.any(Number) },
    { at: expect.any(String), responseStatus: 200, error: null, latencyMs: listed?.['latencyMs'] },
  ]);
  expect(tried[2]?.latencyMs).toBeGreaterThanOrEqual(290);
  await wholeOf('whd_unknown').expect(404);
  await wholeOf(deliveryId, app.otherKeys.secret).expect(404);
});

describe('replay', () => {
  const replay = (webhookId: string, deliveryId: string, key?: string) =>
    api(key).post(`/v1/webhooks/${webhookId}/deliveries/${deliveryId}/replay`);

  test('sends the same event again, in the same bytes, as a delivery of its own', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const eventId = await happen();
    await deliver();
    const [original] = await deliveries(webhookId);
    await api().post('/v1/contacts').send({ email: 'ada@example.com', firstName: 'Changed' }).expect(200);
    const { body } = await replay(webhookId, original?.deliveryId ?? '').expect(202);
    expect(body.data).toMatchObject({
      webhookId,
      eventId,
      status: 'pending',
      attempts: 0,
      replayOf: original?.deliveryId,
      responseStatus: null,
      latencyMs: null,
      completedAt: null,
    });
    expect(body.data.deliveryId).not.toBe(original?.deliveryId);
    await deliver();
    const [first, second] = receiver.received;
    expect(second?.raw.equals(first?.raw ?? Buffer.of())).toBe(true);
    expect(second?.headers).toMatchObject({ 'webhook-id': eventId, 'x-service-delivery': body.data.deliveryId, 'x-service-attempt': '1' });
    expect(await deliveries(webhookId)).toMatchObject([{ deliveryId: body.data.deliveryId, status: 'succeeded' }, { replayOf: null }]);
  });

  test('is refused while the endpoint is off, and for what is not there', async () => {
    const { webhookId } = await register(receiver.url, { events: ['order.placed'] });
    const other = await register(receiver.url, { events: ['nothing'] });
    await happen();
    await deliver();
    const [delivery] = await deliveries(webhookId);
    const id = delivery?.deliveryId ?? '';
    await replay(other.webhookId, id).expect(404);
    await replay(webhookId, 'whd_unknown').expect(404);
    await replay(webhookId, id, app.otherKeys.secret).expect(404);
    expect((await replay(webhookId, 'a b').expect(422)).body.details).toMatchObject([{ path: 'deliveryId' }]);
    await replay(webhookId, id).send({ x: 1 }).expect(422);
    await patch(webhookId, { enabled: false });
    expect((await replay(webhookId, id).expect(409)).body.code).toBe('invalid_state');
    expect(await deliveries(webhookId)).toHaveLength(1);
  });
});
