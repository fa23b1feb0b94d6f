import { aProject } from '../../support/platform/app';
import { queryPlans } from '../../support/checks/query-plans';
import { stored } from '../../support/data/stored';
import { aFreshProject } from '../../support/data/projects';
import { wholeListCalls } from '../../support/calls/lists';

const app = aProject({ config: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
const keys = aFreshProject('Lists');

type Row = Readonly<Record<string, unknown>>;
const api = () => app.api(keys.secret);
async function post(path: string, body: object): Promise<Row> {
  const answer = await api().post(path).send(body);
  if (!answer.ok) throw new Error(`${path}: ${answer.text}`);
  return answer.body.data as Row;
}

const { get, rowsIn, walk } = wholeListCalls(api);

const oneTemplate = { name: 'T', type: 'marketing', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' };
const oneCampaign = { name: 'C', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' };

interface Walked {
  readonly path: string;
  readonly key: string;
  readonly add: (name: string) => Promise<unknown>;
  readonly edit: (key: string) => Promise<unknown>;
  readonly remove: (key: string) => Promise<unknown>;
}

/** A list of resources with the usual operations. */
const resource = (path: string, key: string, create: (name: string) => object, change: object): Walked => ({
  path,
  key,
  add: (name) => post(path, create(name)),
  edit: (id) => api().patch(`${path}/${id}`).send(change).expect(200),
  remove: (id) => api().delete(`${path}/${id}`).expect(200),
});

const ofContacts = (field: string, address = field) => post('/v1/contacts', { email: `${address}@example.com`, data: { [field]: 1 } });
const emit = (name: string) => post('/v1/events', { name, email: 'ada@example.com' });

const LISTS: Readonly<Record<string, () => Promise<Walked>>> = {
  templates: () => Promise.resolve(resource('/v1/templates', 'templateId', (name) => ({ ...oneTemplate, name }), { subject: 'New' })),
  segments: () => Promise.resolve(resource('/v1/segments', 'segmentId', (name) => ({ name, type: 'static' }), { name: 'New' })),
  campaigns: () => Promise.resolve(resource('/v1/campaigns', 'campaignId', (name) => ({ ...oneCampaign, name }), { subject: 'New' })),
  workflows: () =>
    Promise.resolve(resource('/v1/workflows', 'workflowId', (name) => ({ name, trigger: `event:${name}` }), { name: 'New' })),
  webhooks: () =>
    Promise.resolve(
      resource('/v1/webhooks', 'webhookId', (name) => ({ url: `https://127.0.0.1/${name}`, events: ['*'] }), { description: 'New' }),
    ),
  domains: () =>
    Promise.resolve({
      ...resource('/v1/domains', 'domainId', (name) => ({ domain: `${name}.example.com` }), {}),
      edit: (id) => stored.domains.change(id, { lastCheckedAt: new Date() }),
    }),
  versions: async () => {
    const { templateId } = await post('/v1/templates', oneTemplate);
    return {
      path: `/v1/templates/${String(templateId)}/versions`,
      key: 'version',
      add: (subject) =>
        api()
          .patch(`/v1/templates/${String(templateId)}`)
          .send({ subject })
          .expect(200),
      edit: (version) => stored.templateVersions.change({ templateId: String(templateId), version: Number(version) }, { subject: 'New' }),
      remove: (version) => stored.templateVersions.remove({ templateId: String(templateId), version: Number(version) }),
    };
  },
  fields: () =>
    Promise.resolve({
      path: '/v1/contacts/fields',
      key: 'field',
      add: (field) => ofContacts(field),
      edit: (field) => ofContacts(field, `other-${field}`),
      remove: (field) => api().delete(`/v1/contacts/fields/${field}`).expect(200),
    }),
  'event names': () =>
    Promise.resolve({
      path: '/v1/events/names',
      key: 'name',
      add: emit,
      // One of them is the system's: `contact.created`.
      edit: (name) => (name.includes('.') ? ofContacts('some') : emit(name)),
      remove: (name) => api().delete(`/v1/events/${name}`).expect(200),
    }),
  links: async () => {
    const { campaignId } = await post('/v1/campaigns', oneCampaign);
    const linkId = (url: string) => url.replace('https://example.com', String(campaignId));
    const row = (name: string) => ({
      _id: `${String(campaignId)}/${name}`,
      projectId: keys.projectId,
      campaignId,
      url: `https://example.com/${name}`,
    });
    return {
      path: `/v1/campaigns/${String(campaignId)}/links`,
      key: 'url',
      add: (name) => stored.campaignLinks.collection.insertOne({ ...row(name), clicks: 1, uniqueClicks: 1 }),
      edit: (url) => stored.campaignLinks.change(linkId(url), { $inc: { clicks: 9, uniqueClicks: 9 } }),
      remove: (url) => stored.campaignLinks.remove(linkId(url)),
    };
  },
};

const NAMES = ['mike', 'bravo', 'kilo', 'delta', 'india', 'golf', 'lima'];

describe.each(Object.entries(LISTS))('the list of %s', (_name, make) => {
  test('shows each row once in answers of two, while others come, go and change', async () => {
    const { path, key, add, edit, remove } = await make();
    for (const name of NAMES) await add(name);
    const keysOf = (rows: readonly Row[]): string[] => rows.map((row) => String(row[key]));
    const all = await get(path);
    expect(all).not.toHaveProperty('nextCursor');
    expect(all.data).not.toHaveProperty('nextCursor');
    const before = keysOf(all.data.data);
    expect(before.length).toBeGreaterThanOrEqual(NAMES.length);
    const gone: string[] = [];
    const answers = await walk(path, { limit: 2 }, async (first) => {
      const shown = keysOf(first.data.data);
      const toCome = before.filter((each) => !shown.includes(each));
      gone.push(shown[0] as string, toCome[1] as string);
      await edit(shown[1] as string);
      await edit(toCome[0] as string);
      for (const each of gone) await remove(each);
      await add('alpha');
      await add('november');
    });
    const seen = keysOf(rowsIn(answers));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((each) => before.includes(each)).sort()).toEqual(before.filter((each) => each !== gone[1]).sort());
    for (const { data, nextCursor } of answers.slice(0, -1)) {
      expect(data.data).toHaveLength(2);
      expect(nextCursor).toBe(data.nextCursor);
    }
    expect(answers.at(-1)).toMatchObject({ data: { nextCursor: null }, nextCursor: null });
  });

  test('refuses a limit out of range, and a cursor of another list', async () => {
    const { path, add } = await make();
    for (const name of NAMES.slice(0, 3)) await add(name);
    const cursor = (await get(path, { limit: 1 })).data.nextCursor;
    expect(cursor).toEqual(expect.any(String));
    for (const [query, detail] of [
      ['limit=0', { path: 'limit', code: 'too_small' }],
      ['limit=1001', { path: 'limit', code: 'too_big' }],
      ['cursor=x', { path: 'cursor', code: 'invalid_cursor' }],
    ] as const) {
      const { body } = await api().get(`${path}?${query}`).expect(422);
      expect(body).toMatchObject({ code: 'validation_error', details: [detail] });
    }
    const other = path === '/v1/segments' ? '/v1/templates' : '/v1/segments';
    expect((await api().get(other).query({ cursor }).expect(422)).body.details).toMatchObject([{ code: 'invalid_cursor' }]);
    expect((await get(path, { limit: 1_000 })).data.data).toHaveLength((await get(path)).data.data.length);
  });
});

test('an answer has all rows, and a page at most 1,000', async () => {
  const { campaignId } = await post('/v1/campaigns', oneCampaign);
  const row = (n: number) => ({
    _id: `${String(campaignId)}/${n}`,
    projectId: keys.projectId,
    url: `https://example.com/${n}`,
    clicks: 1,
    uniqueClicks: n,
  });
  await stored.campaignLinks.collection.insertMany(Array.from({ length: 1_203 }, (_, n) => ({ ...row(n), campaignId })));
  const path = `/v1/campaigns/${String(campaignId)}/links`;
  const pages = await walk(path, { limit: 1_000 });
  expect(pages.map(({ data }) => data.data.length)).toEqual([1_000, 203]);
  const cursor = pages[0]?.data.nextCursor;
  expect((await get(path, { cursor })).data).toMatchObject({ data: { length: 203 }, nextCursor: null });
  const whole = await get(path);
  expect([whole.data.data.length, Object.keys(whole), Object.keys(whole.data)]).toEqual([1_203, ['success', 'data'], ['data']]);
  for (const { data } of [...pages, whole]) {
    const clicks = data.data.map((link) => Number(link['uniqueClicks']));
    expect(clicks).toEqual([...clicks].sort((a, b) => b - a));
  }
  const plans = await queryPlans('campaign_links', () => get(path));
  expect(new Set(plans.map(({ plan }) => plan))).toEqual(new Set(['IXSCAN { _id: 1 }']));
  expect(plans.some(({ sorted }) => sorted)).toBe(false);
});

test('a filter goes with the walk, and a cursor with its filter', async () => {
  for (const name of NAMES) await post('/v1/templates', { ...oneTemplate, name, type: name.includes('i') ? 'marketing' : 'transactional' });
  const answers = await walk('/v1/templates', { type: 'marketing', limit: 1 });
  expect(rowsIn(answers).map((row) => row['name'])).toEqual(['lima', 'india', 'kilo', 'mike']);
  const cursor = answers[0]?.data.nextCursor;
  await api().get('/v1/templates').query({ cursor }).expect(422);
  await api().get('/v1/templates').query({ cursor, type: 'transactional' }).expect(422);
});

test('HEAD answers as GET does, without the rows', async () => {
  await post('/v1/templates', oneTemplate);
  const { headers } = await api().get('/v1/templates').expect(200);
  const head = await api().head('/v1/templates').expect(200);
  expect(head.headers['content-length']).toBe(headers['content-length']);
  expect(head.headers['content-type']).toBe('application/json; charset=utf-8');
});
