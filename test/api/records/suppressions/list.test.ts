import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { findSuppressions, suppress } from '../../../../src/records/suppressions/service';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { theProjectOf } from '../../../support/data/projects';
import { rowsOf } from '../../../support/calls/lists';

const app = aProject();
const project = theProjectOf(app);

const api = (key?: string) => app.api(key);
const add = (email: string, reason?: string) => api().post('/v1/suppressions').send({ email, reason });

const walk = async (query: object, onPage?: (index: number) => Promise<unknown>): Promise<string[]> =>
  (await rowsOf<{ email: string }>(api(), '/v1/suppressions', query, onPage)).map(({ email }) => email);

test('the list of suppressions is walked newest first, each row once, while rows come and go', async () => {
  const kept = Array.from({ length: 7 }, (_, index) => `walk${index}@list.test`);
  for (const email of kept) await add(email).expect(201);
  await add('walk-gone@list.test').expect(201);
  const seen = await walk({ search: '@LIST.test', limit: 2 }, async (index) => {
    if (index === 0) await api().delete('/v1/suppressions/walk-gone%40list.test').expect(200);
    if (index === 1) await add('walk-late@list.test').expect(201);
  });
  expect(seen.filter((email) => kept.includes(email))).toEqual([...kept].reverse());
  expect(seen).not.toContain('walk-late@list.test');
});

test('the list of suppressions keeps a record in its place when its reason changes', async () => {
  const emails = Array.from({ length: 4 }, (_, index) => `moved${index}@moved.test`);
  for (const email of emails) await add(email, email === 'moved0@moved.test' ? 'unsubscribe' : 'manual').expect(201);
  const seen = await walk({ search: 'moved.test', limit: 1 }, async (index) => {
    if (index === 0) await add('moved0@moved.test', 'manual').expect(201);
  });
  expect(seen).toEqual([...emails].reverse());
  const again = await walk({ search: 'moved.test', limit: 1 }, async (index) => {
    if (index === 0) await api().delete('/v1/suppressions/moved0%40moved.test').expect(200);
  });
  expect(again).toEqual([...emails].reverse());
});

test('the list of suppressions is walked through rows of one instant', async () => {
  const at = new Date();
  const emails = Array.from({ length: 9 }, (_, index) => `tie${index}@tie.test`);
  await Promise.all(
    emails.map((email) => inTransaction((session) => suppress(session, project, { email, reason: 'complaint', source: 'arf', at }))),
  );
  const seen = await walk({ search: 'tie.test', limit: 2, reason: 'complaint' });
  expect(seen.sort()).toEqual(emails);
});

test('the list of suppressions filters by reason and by part of the address, which is no pattern', async () => {
  await add('plus+tag@filter.test', 'unsubscribe').expect(201);
  await add('plain@filter.test', 'hard_bounce').expect(201);
  expect(await walk({ search: 'filter.test', reason: 'unsubscribe' })).toEqual(['plus+tag@filter.test']);
  expect(await walk({ search: 'S+T' })).toEqual(['plus+tag@filter.test']);
  expect(await walk({ search: 'filter?test' })).toEqual([]);
  expect(await walk({ search: '.*@filter' })).toEqual([]);
});

test('the list of suppressions takes back its own cursors only', async () => {
  const { body } = await api().get('/v1/suppressions?limit=1').expect(200);
  const cursor = body.nextCursor as string;
  await api().get('/v1/suppressions').query({ limit: 1, cursor }).expect(200);
  for (const query of [{ cursor: `${cursor}x` }, { cursor: 'x' }, { cursor, reason: 'manual' }]) {
    const { body: refused } = await api().get('/v1/suppressions').query(query).expect(422);
    expect(refused.details).toEqual([expect.objectContaining({ path: 'cursor', code: 'invalid_cursor' })]);
  }
  await api(app.otherKeys.secret).get('/v1/suppressions').query({ cursor }).expect(422);
  await api().get('/v1/suppressions?limit=0').expect(422);
  await api().get('/v1/suppressions?limit=101').expect(422);
  await api().get('/v1/suppressions?reason=other').expect(422);
});

test('the list of suppressions is read along indexes, without sorting', async () => {
  const { body } = await api().get('/v1/suppressions?limit=1').expect(200);
  const plans = await queryPlans('suppressions', async () => {
    await api()
      .get('/v1/suppressions')
      .query({ limit: 1, cursor: body.nextCursor as string })
      .expect(200);
    await api().get('/v1/suppressions?reason=manual&search=x').expect(200);
    await api().get('/v1/suppressions/check?email=someone@example.com').expect(200);
    await findSuppressions(project._id, project.idSalt, ['a@example.com', 'b@example.com']);
    await api().delete('/v1/suppressions/someone%40example.com').expect(404);
  });
  expect(plans).toHaveLength(5);
  for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK/), sorted: false });
});
