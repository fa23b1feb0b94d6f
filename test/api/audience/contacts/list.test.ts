import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { contactCalls } from './calls';
import type { WireContact } from './calls';
import { stored } from '../../../support/data/stored';
import { storeContacts } from '../../../support/data/people';

const app = aProject();

const { api, upsert, walk } = contactCalls(() => app);
const list = (query: object) => walk('/v1/contacts', query);
const emailsOf = (rows: readonly WireContact[]) => rows.map(({ email }) => email);

/** Contacts that were there before, `total` of them at the same few instants. */
function seed(prefix: string, total: number): Promise<string[]> {
  const contacts = Array.from({ length: total }, (_, index) => {
    const at = new Date(Date.UTC(2020, 0, 1, 0, 0, Math.floor(index / 3)));
    const _id = `ctc_${prefix}${String(index).padStart(5, '0')}`;
    return [`${prefix}${index}@list.test`, { _id, createdAt: at, updatedAt: at }] as const;
  });
  return storeContacts(app.keys.projectId, contacts);
}

async function enter(segmentId: string, contactIds: readonly string[], projectId = app.keys.projectId): Promise<void> {
  await stored.segments.collection.updateOne(
    { _id: segmentId },
    { $set: { projectId, type: 'static', name: 'Some', createdAt: new Date(), updatedAt: new Date() } },
    { upsert: true },
  );
  await stored.members.collection.insertMany(
    contactIds.map((contactId) => ({
      _id: `${segmentId}:${contactId}`,
      projectId,
      segmentId,
      contactId,
      enteredAt: new Date(),
      contactCreatedAt: new Date(),
    })),
  );
}

test('the list of contacts searches a part of address, first and last name in any case, never as a pattern', async () => {
  await upsert('plus+tag@search.test', { firstName: 'Zoë', lastName: "O'Neil (Sr.)" });
  await upsert('plain@search.test', { firstName: 'ÄRGER', lastName: 'x.y*z' });
  const found = async (search: string) => emailsOf(await list({ search })).sort();
  expect(await found('SEARCH.test')).toEqual(['plain@search.test', 'plus+tag@search.test']);
  expect(await found('s+T')).toEqual(['plus+tag@search.test']);
  expect(await found('zoë')).toEqual(['plus+tag@search.test']);
  expect(await found('ärger')).toEqual(['plain@search.test']);
  expect(await found("o'neil (")).toEqual(['plus+tag@search.test']);
  expect(await found('x.y*')).toEqual(['plain@search.test']);
  for (const search of ['.*', 'search?test', '^plus', '[a-z]', '(a+)+$', '\\', '$', 'a\u0000b', '{"$gt":""}'])
    expect(await found(search)).toEqual([]);
  expect((await api().get('/v1/contacts?search[$gt]=').expect(422)).body.code).toBe('validation_error');
  await api()
    .get('/v1/contacts')
    .query({ search: 'x'.repeat(201) })
    .expect(422);
});

test('the list of contacts filters by subscription', async () => {
  await upsert('yes@subscribed.test');
  await upsert('no@subscribed.test', { subscribed: false });
  expect(emailsOf(await list({ search: '@subscribed.test', subscribed: true }))).toEqual(['yes@subscribed.test']);
  expect(emailsOf(await list({ search: '@subscribed.test', subscribed: false }))).toEqual(['no@subscribed.test']);
  const { body } = await api().get('/v1/contacts?subscribed=maybe').expect(422);
  expect(body.details).toEqual([expect.objectContaining({ path: 'subscribed' })]);
});

test('the list of contacts is walked newest first or oldest first, through contacts of one instant', async () => {
  const ids = await seed('tie', 25);
  const rows = await list({ search: 'tie', limit: 4 });
  expect(rows.map(({ contactId }) => contactId)).toEqual([...ids].reverse());
  const oldest = await list({ search: 'tie', limit: 4, order: 'oldest' });
  expect(oldest.map(({ contactId }) => contactId)).toEqual(ids);
  await api().get('/v1/contacts?order=email').expect(422);
});

test('the list of contacts filters by a segment; an unknown one is 422', async () => {
  const ids = await seed('few', 12);
  await enter('seg_few', [...ids.slice(0, 9), 'ctc_gone']);
  await enter('seg_few2', ids);
  const rows = await list({ segmentId: 'seg_few', limit: 2 });
  expect(rows.map(({ contactId }) => contactId)).toEqual(ids.slice(0, 9).reverse());
  expect(await list({ segmentId: 'seg_few', search: 'few3@' })).toHaveLength(1);
  expect(await list({ segmentId: 'seg_few', subscribed: false })).toEqual([]);
  for (const [key, segmentId] of [
    [app.keys.secret, 'seg_unknown'],
    [app.otherKeys.secret, 'seg_few'],
  ] as const) {
    const { body } = await api(key).get('/v1/contacts').query({ segmentId }).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path: 'segmentId', code: 'not_found' }] });
  }
  await api().get('/v1/contacts').query({ segmentId: 'no id!' }).expect(422);
});

test('the list of contacts filters by a segment of many members in the same order', async () => {
  const ids = await seed('many', 6_200);
  const members = ids.filter((_, index) => index % 10 !== 0);
  await enter('seg_many', members);
  const first = await api().get('/v1/contacts?segmentId=seg_many&limit=100').expect(200);
  const second = await api()
    .get('/v1/contacts')
    .query({ segmentId: 'seg_many', limit: 100, cursor: first.body.nextCursor as string })
    .expect(200);
  const seen = [...(first.body.data as WireContact[]), ...(second.body.data as WireContact[])].map(({ contactId }) => contactId);
  expect(seen).toEqual([...members].reverse().slice(0, 200));
  const { body } = await api().get('/v1/contacts?segmentId=seg_many&limit=100&order=oldest').expect(200);
  expect((body.data as WireContact[]).map(({ contactId }) => contactId)).toEqual(members.slice(0, 100));
  expect(await list({ segmentId: 'seg_many', search: 'many100@' })).toEqual([]);
  expect(await list({ segmentId: 'seg_many', search: 'many101@' })).toHaveLength(1);
  await stored.contacts.remove({ _id: { $in: ids } });
});

test('the list shows each contact that was there throughout exactly once while eight writers add and remove others', async () => {
  const kept = await seed('kept', 90);
  const going = await seed('going', 60);
  const late = new Set<string>();
  let walking = true;
  const writer = async (index: number): Promise<void> => {
    for (let count = 0; walking || count === 0; count++) {
      const email = `late-${index}-${count}@list.test`;
      late.add((await upsert(email)).contactId);
      const gone = going.pop();
      if (gone) await api().delete(`/v1/contacts/${gone}`).expect(200);
    }
  };
  const writers = Array.from({ length: 8 }, (_, index) => writer(index));
  const seen = (await list({ limit: 3 })).map(({ contactId }) => contactId);
  walking = false;
  await Promise.all(writers);
  expect(seen.filter((id) => id.startsWith('ctc_kept'))).toEqual([...kept].reverse());
  expect(new Set(seen).size).toBe(seen.length);
  expect(late.size).toBeGreaterThan(8);
});

test('the list of contacts takes back its own cursors only', async () => {
  await seed('cursor', 3);
  const { body } = await api().get('/v1/contacts?limit=1').expect(200);
  const cursor = body.nextCursor as string;
  await api().get('/v1/contacts').query({ limit: 2, cursor }).expect(200);
  for (const query of [{ cursor: `${cursor}x` }, { cursor: 'x' }, { cursor, subscribed: true }, { cursor, search: 'a' }]) {
    const refused = await api().get('/v1/contacts').query(query).expect(422);
    expect(refused.body.details).toEqual([expect.objectContaining({ path: 'cursor', code: 'invalid_cursor' })]);
  }
  await api(app.otherKeys.secret).get('/v1/contacts').query({ cursor }).expect(422);
  for (const limit of ['0', '101', 'x', '1.5']) await api().get('/v1/contacts').query({ limit }).expect(422);
});

test('the list of contacts is read along indexes, without sorting', async () => {
  const ids = await seed('plan', 50);
  await enter('seg_plan', ids);
  const { body } = await api().get('/v1/contacts?limit=1').expect(200);
  const plans = await queryPlans('contacts', async () => {
    await api()
      .get('/v1/contacts')
      .query({ limit: 1, cursor: body.nextCursor as string })
      .expect(200);
    await api().get('/v1/contacts?search=nothing-has-this').expect(200);
    await api().get('/v1/contacts?subscribed=false&search=x').expect(200);
    await api().get(`/v1/contacts/${ids[0]}`).expect(200);
  });
  expect(plans).toHaveLength(4);
  for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK/), sorted: false });
  const members = await queryPlans('segment_members', () => api().get('/v1/contacts?segmentId=seg_plan').expect(200));
  expect(members).toEqual([{ plan: 'IXSCAN { _id: 1 }', sorted: false }]);
  const [named] = await queryPlans('contacts', () => api().get('/v1/contacts?segmentId=seg_plan').expect(200));
  expect(named?.plan).toMatch(/IXSCAN/);
});
