import { webhookRemovalId } from '../../../../src/contracts/webhook';
import { listeningOf, listeningWhile } from '../../../../src/records/events/listeners';
import { aProject } from '../../../support/platform/app';
import { listen } from '../../../support/platform/fan-out';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { webhookCalls } from '../../../support/servers/webhooks';
import type { ShownDelivery } from '../../../support/servers/webhooks';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { WEBHOOK_ALLOW_PRIVATE: 'true' } });

const { api, deliveries, happen, patch, register, webhook } = webhookCalls(() => app);
const URL = 'https://hooks.example.com/x';
const hears = async (name: string): Promise<boolean> => (await listeningOf(app.keys.projectId)).hears(name);

describe('work that goes on for a while', () => {
  test('knows the listeners from before it began, and soon the ones that come meanwhile', async () => {
    await listen(app.keys.projectId);
    const [earlier, askedNow] = [listeningWhile(app.keys.projectId, 250), listeningWhile(app.keys.projectId, 0)];
    expect((await earlier()).hears('parcel.sent')).toBe(false);
    await listen(app.keys.projectId, 'parcel.sent');
    expect((await listeningWhile(app.keys.projectId, 250)()).hears('parcel.sent')).toBe(true);
    expect((await askedNow()).hears('parcel.sent')).toBe(true);
    await eventually('the listener that came meanwhile is known', async () => (await earlier()).hears('parcel.sent'));
    await listen(app.keys.projectId);
  });

  test('knows at once the ones from before a part of it began; parts that began before a question share its answer', async () => {
    await listen(app.keys.projectId);
    const listening = listeningWhile(app.keys.projectId, 60_000);
    const [first, second] = [performance.now(), performance.now()];
    const asking = jest.spyOn(stored.listeners.collection, 'find');
    expect((await listening(first)).hears('parcel.sent')).toBe(false);
    await listen(app.keys.projectId, 'parcel.sent');
    expect((await listening(second)).hears('parcel.sent')).toBe(false);
    expect(asking).toHaveBeenCalledTimes(1);

    const [third, fourth] = [performance.now(), performance.now()];
    expect((await listening(third)).hears('parcel.sent')).toBe(true);
    expect((await listening(fourth)).hears('parcel.sent')).toBe(true);
    expect(asking).toHaveBeenCalledTimes(2);
    asking.mockRestore();
    await listen(app.keys.projectId);
  });
});

describe('registering', () => {
  test('answers with the endpoint and its secret, which is shown this once', async () => {
    const { body } = await api()
      .post('/v1/webhooks')
      .send({ url: URL, events: ['email.*', 'order.placed'], description: 'Shop' })
      .expect(201);
    expect(body).toEqual({
      success: true,
      data: {
        webhookId: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
        projectId: app.keys.projectId,
        url: URL,
        events: ['email.*', 'order.placed'],
        description: 'Shop',
        enabled: true,
        disabledReason: null,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    const { secret, ...shown } = body.data;
    expect(Buffer.from(String(secret).slice(6), 'base64')).toHaveLength(32);
    expect(await webhook(String(shown.webhookId))).toEqual(shown);
    const row = await stored.webhooks.one(String(shown.webhookId));
    expect(JSON.stringify(row)).not.toContain(String(secret).slice(6, 30));
  });

  test('lists the newest first', async () => {
    const { webhookId } = await register(URL, { enabled: false });
    const { body } = await api().get('/v1/webhooks').expect(200);
    expect(body.data.data[0]).toMatchObject({ webhookId, description: null, enabled: false, disabledReason: null });
    expect(body.data.data[0]).not.toHaveProperty('secret');
    expect((await api(app.otherKeys.secret).get('/v1/webhooks').expect(200)).body.data).toEqual({ data: [] });
  });

  test('takes names and prefixes of the system that there are, and any of your own', async () => {
    await register(URL, { events: ['email.delivered', 'contact.*', 'contacts.birthday', 'order.*'], enabled: false });
    const { body } = await api()
      .post('/v1/webhooks')
      .send({ url: URL, events: ['contact.birthday', 'contact.birthday.*', 'email.delivred'] })
      .expect(422);
    expect((body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`)).toEqual(
      [0, 1, 2].map((index) => `events.${index} invalid_enum_value`),
    );
  });

  test('names all faults of a body at once', async () => {
    const { body } = await api()
      .post('/v1/webhooks')
      .send({ url: 'ftp://x.example', events: [], description: 'a\nb', enabled: 'yes', more: 1 })
      .expect(422);
    const faults = (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`).sort();
    expect(faults).toEqual([
      'description invalid_string',
      'enabled invalid_type',
      'events too_small',
      'more unrecognized_keys',
      'url invalid_string',
    ]);
    await api(app.keys.public)
      .post('/v1/webhooks')
      .send({ url: URL, events: ['*'] })
      .expect(401);
  });
});

describe('what it listens to', () => {
  test('gets events from the answer on, and no more once it is switched off, changed or deleted', async () => {
    const { webhookId } = await register(URL, { events: ['heard.first', 'deep.down.*'] });
    const heard = () => Promise.all(['heard.first', 'deep.down.below', 'other'].map(hears));
    // Any endpoint of another test may listen to all.
    for (const { webhookId: id } of (await api().get('/v1/webhooks')).body.data.data)
      if (id !== webhookId) await patch(String(id), { enabled: false });
    expect(await heard()).toEqual([true, true, false]);
    await patch(webhookId, { events: ['other'] });
    expect(await heard()).toEqual([false, false, true]);
    await patch(webhookId, { enabled: false });
    expect(await heard()).toEqual([false, false, false]);
    await patch(webhookId, { enabled: true });
    expect(await heard()).toEqual([false, false, true]);
    await api().delete(`/v1/webhooks/${webhookId}`).expect(200);
    expect(await heard()).toEqual([false, false, false]);
  });
});

describe('a change', () => {
  test('changes what is given, and nothing when nothing is', async () => {
    const { secret, ...made } = await register(URL, { description: 'Before' });
    const id = made.webhookId;
    expect(await patch(id, {})).toEqual(made);
    const changed = await patch(id, { url: `${URL}/y`, events: ['a'], description: null, enabled: false });
    expect(changed).toEqual({
      ...made,
      url: `${URL}/y`,
      events: ['a'],
      description: null,
      enabled: false,
      updatedAt: changed['updatedAt'],
    });
    expect(await webhook(id)).toEqual(changed);
    const rotated = await patch(id, { rotateSecret: true });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(await webhook(id)).not.toHaveProperty('secret');
  });

  test('of what is not there is 404, of the wrong form 422 before that', async () => {
    await api().patch('/v1/webhooks/whk_unknown').send({ enabled: false }).expect(404);
    await api().patch('/v1/webhooks/whk_unknown').send({ enabled: 1 }).expect(422);
    expect((await api().patch('/v1/webhooks/whk_unknown').send({ url: 'http://x.example' }).expect(422)).body.details).toMatchObject([
      { path: 'url', code: 'blocked_url' },
    ]);
    await api()
      .patch(`/v1/webhooks/${'x'.repeat(65)}`)
      .send({})
      .expect(422);
    await api().delete('/v1/webhooks/whk_unknown').expect(404);
    await api().get('/v1/webhooks/whk_unknown/deliveries').expect(404);
  });

  test('that races another keeps both', async () => {
    const { webhookId } = await register(URL, { events: ['never'] });
    await Promise.all([
      patch(webhookId, { description: 'Both' }),
      patch(webhookId, { events: ['never.again'] }),
      patch(webhookId, { url: `${URL}/both` }),
    ]);
    expect(await webhook(webhookId)).toMatchObject({ description: 'Both', events: ['never.again'], url: `${URL}/both` });
  });
});

test('deleted, an endpoint is gone with its deliveries, which a workflow removes', async () => {
  const { webhookId } = await register(URL, { events: ['order.placed'] });
  await happen();
  expect(await deliveries(webhookId)).toHaveLength(1);
  app.processes.start.mockClear();
  expect((await api().delete(`/v1/webhooks/${webhookId}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
  await api().delete(`/v1/webhooks/${webhookId}`).expect(404);
  await api().get(`/v1/webhooks/${webhookId}/deliveries`).expect(404);
  expect(app.processes.start).toHaveBeenCalledWith(
    expect.objectContaining({ workflow: 'webhookRemoval', workflowId: webhookRemovalId(webhookId) }),
  );
});

describe('deliveries', () => {
  test('are listed newest first, in pages, by their status', async () => {
    const { webhookId } = await register(URL, { events: ['order.placed'] });
    const events: string[] = [];
    for (let n = 0; n < 7; n++) events.unshift(await happen());
    const [first] = await deliveries(webhookId);
    expect(first).toEqual({
      deliveryId: expect.any(String),
      webhookId,
      eventId: events[0],
      eventName: 'order.placed',
      sequence: expect.any(Number),
      status: 'pending',
      attempts: 0,
      responseStatus: null,
      responseBody: null,
      error: null,
      latencyMs: null,
      nextAttemptAt: expect.stringMatching(/Z$/),
      replayOf: null,
      createdAt: expect.stringMatching(/Z$/),
      completedAt: null,
    });
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await api().get(`/v1/webhooks/${webhookId}/deliveries?limit=3${query}`).expect(200);
      walked.push(...(body.data as ShownDelivery[]).map(({ eventId }) => eventId));
      cursor = body.nextCursor as string | null;
    }
    expect(walked).toEqual(events);
    await stored.deliveries.change({ webhookId, eventId: String(events[2]) }, { $set: { status: 'failed' }, $unset: { dueAt: '' } });
    expect((await deliveries(webhookId, '?status=failed')).map(({ eventId }) => eventId)).toEqual([events[2]]);
    expect(await deliveries(webhookId, '?status=pending')).toHaveLength(6);
    await api().get(`/v1/webhooks/${webhookId}/deliveries?status=lost`).expect(422);
    await api().get(`/v1/webhooks/${webhookId}/deliveries?cursor=abc`).expect(422);
    await api(app.otherKeys.secret).get(`/v1/webhooks/${webhookId}/deliveries`).expect(404);
  });

  test('are looked up by indexes', async () => {
    const { webhookId } = await register(URL, { events: ['order.placed'] });
    await happen();
    const asked = async (): Promise<void> => {
      await deliveries(webhookId);
      await deliveries(webhookId, '?status=pending');
      await api().get('/v1/webhooks').expect(200);
    };
    for (const collection of ['webhook_deliveries', 'webhooks']) {
      const plans = await queryPlans(collection, asked);
      expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
      expect(plans.length).toBeGreaterThan(0);
    }
  });

  test('end after thirty days', async () => {
    const indexes = await stored.deliveries.collection.indexes();
    expect(indexes.find(({ key }) => JSON.stringify(key) === '{"createdAt":1}')).toMatchObject({ expireAfterSeconds: 30 * 86_400 });
  });
});
