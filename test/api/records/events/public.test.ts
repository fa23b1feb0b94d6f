import { apiOf, aProject, serve } from '../../../support/platform/app';
import { eventRoutes } from '../../../../api/events/routes';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject({ config: { EVENTS_PUBLIC_RATE_PER_MINUTE: '30', TRUSTED_PROXIES: '1' } });

/** Each client stands behind the one proxy that is trusted. */
const ingest = (body: object, client: string, key: string = app.keys.public) =>
  app.api(key).post('/v1/events').set('X-Forwarded-For', client).send(body);

describe('a public key', () => {
  test('records an event, and makes contacts that were never asked', async () => {
    const email = freshAddress();
    const { body, headers } = await ingest({ name: 'page.seen', email, data: { path: '/' } }, '192.0.2.1').expect(201);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(body.data).toEqual({ eventId: expect.any(String), contactId: expect.any(String), triggered: [], skipped: [] });
    expect(await stored.contacts.one({ email })).toMatchObject({ subscribed: false, optedOutAt: null });
    expect(await stored.events.one(body.data.eventId as string)).toMatchObject({ testMode: false, data: { path: '/' } });
  });

  test('takes nothing from a contact that is there', async () => {
    const email = freshAddress();
    await app.api().post('/v1/contacts').send({ email, firstName: 'Ada' }).expect(201);
    await ingest({ name: 'page.seen', email }, '192.0.2.1').expect(201);
    expect(await stored.contacts.one({ email })).toMatchObject({ subscribed: true, firstName: 'Ada' });
  });

  test('may give nothing but name, email and data', async () => {
    const { contactId } = (await app.api().post('/v1/contacts').send({ email: freshAddress() })).body.data as { contactId: string };
    const email = freshAddress();
    const cases: readonly (readonly [object, readonly string[]])[] = [
      [{ name: 'x', email, contactId }, ['contactId']],
      [{ name: 'x', email, contactId: 5 }, ['contactId']],
      [{ name: 'x', email, createContact: false }, ['createContact']],
      [{ name: 'x', email, occurredAt: '2026-01-01T00:00:00Z' }, ['occurredAt']],
      [{ name: 'x', email, createContact: true, occurredAt: '2026-01-01T00:00:00Z' }, ['createContact', 'occurredAt']],
      [{ name: 'x', email, more: 1 }, ['more']],
    ];
    for (const [given, paths] of cases) {
      const { body, headers } = await ingest(given, '192.0.2.2').expect(422);
      expect(body.details).toEqual(paths.map((path) => expect.objectContaining({ path, code: 'unrecognized_keys' })));
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    const { body } = await ingest({ name: 'x', contactId }, '192.0.2.2').expect(422);
    expect((body.details as { path: string; code: string }[]).map(({ path, code }) => [path, code])).toEqual([
      ['email', 'invalid_type'],
      ['contactId', 'unrecognized_keys'],
    ]);
    expect(await stored.events.count({ name: 'x' })).toBe(0);
  });

  test('opens nothing else', async () => {
    for (const path of ['/v1/events', '/v1/events/names', '/v1/events/stats', '/v1/events/x/usage', '/v1/contacts']) {
      const { body, headers } = await app.api(app.keys.public).get(path).expect(401);
      expect(body.code).toBe('unauthorized');
      expect(headers['www-authenticate']).toBe('Bearer');
    }
    await app.api(app.keys.public).delete('/v1/events/x').expect(401);
  });
});

describe('CORS', () => {
  test('answers a preflight with 204, without a key', async () => {
    const { headers, text } = await app.api(null).options('/v1/events').expect(204);
    expect(text).toBe('');
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' });
    expect(headers['access-control-allow-headers']).toMatch(/Authorization.*Content-Type.*Idempotency-Key/);
  });

  test('holds for errors too', async () => {
    const post = (key: string | null) => app.api(key).post('/v1/events');
    const answers = [
      await post(null).send({}).expect(401),
      await post('pk_wrong').send({}).expect(401),
      await post(app.keys.public).send({ name: 'email.sent' }).expect(422),
      await post(app.keys.public).type('text/plain').send('x').expect(415),
      await post(app.keys.public).type('json').send('{').expect(422),
      await post(app.keys.public)
        .send({ name: 'x', data: { a: 'x'.repeat(1_100_000) } })
        .expect(413),
    ];
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'] as string)).toEqual(Array(6).fill('*'));
  });

  test('is not for reading', async () => {
    expect((await app.api().get('/v1/events').expect(200)).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('limits', () => {
  test('at most so many a minute from one client, exactly, however many come at once and to however many processes', async () => {
    const second = await serve(app.core, eventRoutes);
    const other = apiOf(second.url, app.keys.public);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? app.api(app.keys.public) : other())
          .post('/v1/events')
          .set('X-Forwarded-For', '198.51.100.7')
          .send({ name: 'flood', email: freshAddress() }),
      ),
    );
    await second.close();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ success: false, code: 'rate_limited' });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    expect(await stored.events.count({ name: 'flood' })).toBe(30);
    await ingest({ name: 'flood', email: freshAddress() }, '198.51.100.8').expect(201);
    await ingest({ name: 'flood', email: freshAddress() }, '198.51.100.7', app.otherKeys.public).expect(201);
  });

  test('believes the trusted proxy, and nothing that a client writes in front of it', async () => {
    const from = (header: string) => ingest({ name: 'spoof', email: freshAddress() }, header);
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => from(`10.0.0.${n}, 203.0.113.9`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
  });

  /** Puts the limit of what takes from it next so near to its end. */
  const almost = async (used: number, among: object): Promise<void> => {
    expect(await stored.limits.changeAll(among, { count: used })).toBe(1);
  };
  /** The rows that a request has made. */
  const rowsOf = async (request: () => Promise<unknown>): Promise<readonly string[]> => {
    await stored.limits.remove();
    await request();
    return (await stored.limits.all({}, { until: -1 })).map(({ _id }) => _id);
  };

  test('at most 600 an hour for one address, from however many clients, in any spelling', async () => {
    const email = freshAddress();
    const [address] = await rowsOf(() => ingest({ name: 'one', email }, '203.0.113.99').expect(201));
    await almost(580, { _id: address });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ingest({ name: 'one', email: n % 2 ? email : email.toUpperCase() }, `203.0.113.${100 + n}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const retryAfter = Number(answers.find(({ status }) => status === 429)?.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(3_500);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
    await ingest({ name: 'one', email }, '203.0.113.200', app.keys.secret).expect(201);
  });

  test('at most 6,000 a minute for one project, from however many clients for however many addresses', async () => {
    const projectId = app.keys.projectId;
    const clients = await rowsOf(() => ingest({ name: 'all', email: freshAddress() }, '203.0.113.60').expect(201));
    await ingest({ name: 'all', email: freshAddress() }, '203.0.113.61').expect(201);
    const shared = await stored.limits.all({ _id: { $in: clients }, count: 2 });
    expect(shared).toHaveLength(1);
    await almost(5_995, { _id: shared[0]?._id });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ingest({ name: 'all', email: freshAddress() }, `203.0.113.${70 + n}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(Number(answers.find(({ status }) => status === 429)?.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(await stored.events.count({ projectId, name: 'all' })).toBe(7);
    await ingest({ name: 'all', email: freshAddress() }, '203.0.113.60', app.otherKeys.public).expect(201);
    await stored.limits.remove();
  });

  test('begin anew when their window has ended', async () => {
    const client = '203.0.113.250';
    const answers = await Promise.all(Array.from({ length: 32 }, () => ingest({ name: 'again', email: freshAddress() }, client)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    await ingest({ name: 'again', email: freshAddress() }, client).expect(429);
    await stored.limits.changeAll({}, { until: new Date(Date.now() - 1) });
    await ingest({ name: 'again', email: freshAddress() }, client).expect(201);
  });

  test('are not taken from by a replay', async () => {
    const email = freshAddress();
    const body = { name: 'replayed', email };
    const answers = [];
    for (let n = 0; n < 35; n++) answers.push((await ingest(body, '203.0.113.77').set('Idempotency-Key', 'public')).status);
    expect(answers).toEqual(Array(35).fill(201));
    expect(await stored.events.count({ name: 'replayed' })).toBe(1);
  });

  test('keep neither addresses nor clients, and do not stay for ever', async () => {
    const rows = JSON.stringify(await stored.limits.all());
    expect(rows).not.toMatch(/@|203\.0|198\.51/);
    const indexes = await stored.limits.collection.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { until: 1 }, expireAfterSeconds: 0 }));
  });
});
