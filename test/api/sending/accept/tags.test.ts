import { aProject } from '../../../support/platform/app';
import { storeEmails } from '../../../support/data/email-rows';
import { erasureCalls } from '../../../support/calls/erasures';
import { queryPlans } from '../../../support/checks/query-plans';
import { handOnAll } from '../../../support/servers/webhooks';
import { counts, statsOf } from '../../records/stats/stats-of';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_PRIVATE: 'true' } });

const { erase, remove } = erasureCalls(() => app);
const MESSAGE = { from: 'team@hello.test', subject: 'Hello', text: 'Hello' };
const RECEIPT = { name: 'category', value: 'receipt' };
const SHOP = { name: 'shop', value: 'eu/berlin:1.b' };
const post = (path: string, body: object) => app.api().post(path).send(body);
const sent = async (more: object): Promise<string> =>
  (await post('/v1/send', { ...MESSAGE, ...more }).expect(200)).body.data.results[0].id as string;
const found = async (query: object, key?: string): Promise<readonly string[]> => {
  const { body } = await app.api(key).get('/v1/emails').query(query).expect(200);
  return (body.data as readonly { emailId: string }[]).map(({ emailId }) => emailId);
};

test('messages are found by their tags, beside other filters, and show them', async () => {
  const both = await sent({ to: 'ada@example.com', tags: [RECEIPT, SHOP] });
  const one = await sent({ to: 'grace@example.com', tags: [RECEIPT] });
  const none = await sent({ to: 'ada@example.com' });
  const { body } = await post('/v1/send/batch', { messages: [{ ...MESSAGE, to: ['eve@example.com'], tags: [SHOP] }] }).expect(200);
  const batched = body.data.results[0].results[0].id as string;
  expect(await found({ tag: 'category:receipt' })).toEqual([one, both]);
  expect(await found({ tag: 'shop:eu/berlin:1.b' })).toEqual([batched, both]);
  expect(await found({ tag: 'category:receipt', to: 'ada@example.com' })).toEqual([both]);
  expect(await found({ tag: 'category:receipt', source: 'campaign' })).toEqual([]);
  expect(await found({ tag: 'category:Receipt' })).toEqual([]);
  expect(await found({ tag: 'category:receipt' }, app.otherKeys.secret)).toEqual([]);
  const shown = async (id: string) => (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data;
  expect((await shown(both)).tags).toEqual([RECEIPT, SHOP]);
  expect(await shown(none)).not.toHaveProperty('tags');
});

test.each<[unknown, [string, string][]]>([
  [[], [['tags', 'too_small']]],
  [Array.from({ length: 11 }, (_, n) => ({ name: `n${n}`, value: 'v' })), [['tags', 'too_big']]],
  [[RECEIPT, { ...RECEIPT, value: 'other' }], [['tags.1.name', 'invalid_combination']]],
  [
    [RECEIPT, { ...RECEIPT, value: 5 }],
    [
      ['tags.1.value', 'invalid_type'],
      ['tags.1.name', 'invalid_combination'],
    ],
  ],
  [
    [
      { name: null, value: 'v' },
      { name: null, value: 'v' },
    ],
    [
      ['tags.0.name', 'invalid_type'],
      ['tags.1.name', 'invalid_type'],
    ],
  ],
  [[{ name: 'a:b', value: 'v' }], [['tags.0.name', 'invalid_string']]],
  [[{ name: 'a', value: 'a b' }], [['tags.0.value', 'invalid_string']]],
  [[{ name: 'a', value: '' }], [['tags.0.value', 'invalid_string']]],
  [[{ name: 'a'.repeat(65), value: 'v' }], [['tags.0.name', 'invalid_string']]],
  [[{ name: 'a', value: 'v'.repeat(257) }], [['tags.0.value', 'invalid_string']]],
  [[{ name: 'a' }], [['tags.0.value', 'invalid_type']]],
  [[{ ...RECEIPT, more: 1 }], [['tags.0.more', 'unrecognized_keys']]],
  [{ category: 'receipt' }, [['tags', 'invalid_type']]],
])('tags of %j are refused', async (tags, faults) => {
  const { body } = await post('/v1/send', { ...MESSAGE, to: 'ada@example.com', tags }).expect(422);
  expect((body.details as { path: string; code: string }[]).map(({ path, code }) => [path, code])).toEqual(faults);
});

test.each(['category', ':receipt', 'category:', 'a b:c', '$ne:1', 'a:b c'])('no tag is meant by %s', async (tag) => {
  for (const path of ['/v1/emails', '/v1/stats']) {
    const { body } = await app.api().get(path).query({ tag }).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'tag', code: 'invalid_string' })]);
  }
});

test('mail with a tag is found along an index that mail without tags is not in', async () => {
  await storeEmails(
    app.keys.projectId,
    ...Array.from({ length: 60 }, (_, n) => (n % 20 === 0 ? { tags: ['kind:rare', `n:${n}`] } : { campaignId: 'cmp_1' })),
  );
  const plans = await queryPlans('emails', async () => {
    expect(await found({ tag: 'kind:rare', limit: 2 })).toHaveLength(2);
    await statsOf(app, app.keys.secret, { tag: 'kind:rare' });
  });
  const TAGS = 'IXSCAN { projectId: 1, tags: 1, createdAt: -1, _id: -1 }';
  expect(plans).toEqual([
    { plan: TAGS, sorted: false },
    { plan: TAGS, sorted: false },
  ]);
  const declared = await stored.emails.collection.indexes();
  expect(declared.filter(({ key }) => 'tags' in key)).toMatchObject([{ partialFilterExpression: { tags: { $gt: '' } } }]);
});

test('statistics of a tag count its messages where they were accepted', async () => {
  const tags = ['stats:yes'];
  const at = new Date('2026-11-02T10:30:00.000Z');
  const day = { createdAt: at, tags };
  await storeEmails(
    app.keys.projectId,
    { ...day, status: 'delivered', sentAt: at, deliveredAt: new Date('2026-11-03T10:00:00.000Z') },
    { ...day, status: 'clicked', sentAt: at, deliveredAt: at, openedAt: at, clickedAt: at },
    { ...day, status: 'bounced', bouncedAt: at },
    { ...day, status: 'bounced', sentAt: at, deliveredAt: at, bouncedAt: at },
    { ...day, status: 'failed' },
    { ...day, status: 'delivered', sentAt: at, deliveredAt: at, testMode: true },
    { ...day, tags: ['stats:no'], status: 'delivered', sentAt: at, deliveredAt: at },
    { ...day, createdAt: new Date('2026-11-05T00:00:00.000Z'), status: 'sent', sentAt: at },
  );
  const span = { from: '2026-11-01T00:00:00Z', to: '2026-11-05T00:00:00Z' };
  const stats = await statsOf(app, app.keys.secret, { ...span, tag: 'stats:yes' });
  const expected = counts({ sent: 4, delivered: 2, opened: 1, clicked: 1, bounced: 2, failed: 1 });
  expect([stats.totals, stats.bySource.transactional, stats.bySource.campaign]).toEqual([expected, expected, counts()]);
  expect(stats.series.map(({ sent }) => sent)).toEqual([0, 4, 0, 0]);
  expect(stats.rates).toMatchObject({ delivery: 0.5, bounce: 0.5, open: 0.5 });
  expect((await statsOf(app, app.otherKeys.secret, { ...span, tag: 'stats:yes' })).totals).toEqual(counts());
});

test('webhooks say the tags of their message', async () => {
  await post('/v1/webhooks', { url: 'https://127.0.0.1/hook', events: ['email.queued'] }).expect(201);
  const id = await sent({ to: 'hook@example.com', tags: [RECEIPT] });
  await handOnAll(app.core);
  const bodies = (await stored.deliveries.all()).map(
    ({ body }) => JSON.parse(String(body)) as { data: { email: { emailId: string; tags: unknown } } },
  );
  expect(bodies.find(({ data }) => data.email.emailId === id)?.data.email.tags).toEqual([RECEIPT]);
});

test('an endpoint with a tag hears of mail with it and of nothing else, until that is taken back', async () => {
  const hook = { url: 'https://127.0.0.1/tagged', events: ['email.queued', 'order.placed'], tag: 'category:receipt' };
  const { webhookId, tag } = (await post('/v1/webhooks', hook).expect(201)).body.data as { webhookId: string; tag: string };
  expect(tag).toBe('category:receipt');
  const heard = async (): Promise<readonly string[]> => {
    await handOnAll(app.core);
    const rows = await stored.deliveries.all({ webhookId }, { _id: 1 });
    return rows.map(({ body }) => (JSON.parse(String(body)) as { data: { email?: { emailId: string } } }).data.email?.emailId ?? 'no mail');
  };
  const both = await sent({ to: 'ada@example.com', tags: [SHOP, RECEIPT] });
  await sent({ to: 'ada@example.com', tags: [{ ...RECEIPT, value: 'receipts' }] });
  await sent({ to: 'ada@example.com' });
  await post('/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { tags: ['category:receipt'] } }).expect(201);
  expect(await heard()).toEqual([both]);
  const patch = async (body: object) => (await app.api().patch(`/v1/webhooks/${webhookId}`).send(body).expect(200)).body.data as object;
  expect(await patch({ tag: null })).not.toHaveProperty('tag');
  await post('/v1/events', { name: 'order.placed', email: 'ada@example.com' }).expect(201);
  expect(await heard()).toEqual([both, 'no mail']);
  expect(await patch({ tag: 'shop:eu' })).toMatchObject({ tag: 'shop:eu' });
  const { body } = await app.api().patch(`/v1/webhooks/${webhookId}`).send({ tag: 'shop' }).expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'tag', code: 'invalid_string' })]);
});

test('the tags of an erased person go', async () => {
  const id = await sent({ to: 'dora@example.com', tags: [{ name: 'customer', value: 'dora' }] });
  await stored.emails.change(id, { $set: { status: 'sent', sentAt: new Date() }, $unset: { dueAt: '' } });
  await remove('dora@example.com');
  await erase('dora@example.com');
  expect(await found({ tag: 'customer:dora' })).toEqual([]);
});
