import { inTransaction } from '../../src/mongo/transaction';
import { createProject, getProject } from '../../src/projects/service';
import { findSuppressions, forgetOptOut, suppress } from '../../src/suppressions/service';
import type { NewSuppression } from '../../src/suppressions/service';
import { startTestApp } from '../support/app';
import { queryPlans } from '../support/query-plans';

type App = Awaited<ReturnType<typeof startTestApp>>;

let app: App;
let other: string;
let project: Awaited<ReturnType<typeof getProject>>;
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
  other = (await createProject('Other')).secret;
  project = await getProject(app.keys.projectId);
});
afterAll(() => app.close());

const api = (key?: string) => app.api(key);
const freshAddress = (): string => `person${++count}@example.com`;
const add = (email: string, reason?: string) => api().post('/v1/suppressions').send({ email, reason });
const report = (given: Omit<NewSuppression, 'at'>): Promise<boolean> =>
  inTransaction((session) => suppress(session, project, { ...given, at: new Date() }));

async function stateOf(email: string) {
  const { body } = await api().get('/v1/suppressions/check').query({ email }).expect(200);
  return body.data as {
    suppressed: boolean;
    suppression: { reason: string; source: string; suppressionId: string; createdAt: string } | null;
  };
}

describe('add, look up, lift', () => {
  test('answers with the whole record', async () => {
    const email = freshAddress();
    const { body } = await add(email.toUpperCase()).expect(201);
    expect(body).toEqual({
      success: true,
      data: {
        suppressionId: expect.stringMatching(/^sup_[0-9a-z]{26}$/),
        projectId: app.keys.projectId,
        email,
        reason: 'manual',
        source: 'api',
        createdAt: expect.stringMatching(/Z$/),
      },
    });
    expect(await stateOf(email)).toEqual({ suppressed: true, suppression: body.data });
    for (const which of [body.data.suppressionId as string, encodeURIComponent(email), encodeURIComponent(email.toUpperCase())]) {
      const found = await api().get(`/v1/suppressions/${which}`).expect(200);
      expect(found.body.data).toEqual({ suppressed: true, suppression: body.data });
    }
  });

  test('leaves a record as it is when its address is added again', async () => {
    const email = freshAddress();
    const first = await add(email, 'manual').expect(201);
    for (const reason of ['manual', 'complaint', 'hard_bounce', 'unsubscribe']) {
      const again = await add(email, reason).expect(200);
      expect(again.body.data).toEqual(first.body.data);
    }
  });

  test('says that an address is not suppressed with 200', async () => {
    for (const which of [encodeURIComponent(freshAddress()), 'sup_unknown']) {
      const { body } = await api().get(`/v1/suppressions/${which}`).expect(200);
      expect(body).toEqual({ success: true, data: { suppressed: false, suppression: null } });
    }
  });

  test('lifts by id and by address, once', async () => {
    for (const by of ['id', 'address'] as const) {
      const email = freshAddress();
      const { body } = await add(email).expect(201);
      const path = `/v1/suppressions/${by === 'id' ? (body.data.suppressionId as string) : encodeURIComponent(email)}`;
      expect((await api().delete(path).expect(200)).body).toEqual({ success: true, data: { success: true } });
      await api().delete(path).expect(404);
      expect(await stateOf(email)).toEqual({ suppressed: false, suppression: null });
    }
  });

  test.each([
    [{ email: 'no address' }, 'email', 'invalid_string'],
    [{}, 'email', 'invalid_type'],
    [{ email: 'a@example.com', reason: 'other' }, 'reason', 'invalid_enum_value'],
    [{ email: 'a@example.com', source: 'link' }, 'source', 'unrecognized_keys'],
  ])('refuses %j', async (given, path, code) => {
    const { body } = await api().post('/v1/suppressions').send(given).expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path, code }] });
  });

  test('refuses what is neither an id nor an address', async () => {
    await api().get('/v1/suppressions/not%20an%20id').expect(422);
    await api().get('/v1/suppressions/a%40').expect(422);
    await api().get('/v1/suppressions/check').expect(422);
    await api(app.keys.public).get('/v1/suppressions').expect(401);
  });
});

describe('one record for an address', () => {
  test('a blocking reason hides an opt-out, which comes back when it is lifted', async () => {
    const email = freshAddress();
    const optOut = await add(email, 'unsubscribe').expect(201);
    const blocked = await add(email, 'manual').expect(201);
    expect(blocked.body.data).toMatchObject({ suppressionId: optOut.body.data.suppressionId, reason: 'manual' });
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
      .expect(200);
    expect((await stateOf(email)).suppression).toEqual(optOut.body.data);
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
      .expect(200);
    expect((await stateOf(email)).suppressed).toBe(false);
  });

  test('an opt-out never hides a blocking reason, and is remembered', async () => {
    const email = freshAddress();
    expect(await report({ email, reason: 'hard_bounce', source: 'smtp' })).toBe(true);
    expect(await report({ email, reason: 'unsubscribe', source: 'one_click' })).toBe(false);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'hard_bounce', source: 'smtp' });
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
      .expect(200);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'unsubscribe', source: 'one_click' });
  });

  test('the first blocking reason stays, but for a complaint that was reported', async () => {
    const email = freshAddress();
    expect(await report({ email, reason: 'unsubscribe', source: 'link' })).toBe(true);
    expect(await report({ email, reason: 'hard_bounce', source: 'dsn' })).toBe(true);
    expect(await report({ email, reason: 'manual', source: 'api' })).toBe(false);
    expect(await report({ email, reason: 'hard_bounce', source: 'smtp' })).toBe(false);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'hard_bounce', source: 'dsn' });
    expect(await report({ email, reason: 'complaint', source: 'arf' })).toBe(true);
    expect(await report({ email, reason: 'complaint', source: 'provider' })).toBe(false);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'complaint', source: 'arf' });
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
      .expect(200);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'unsubscribe', source: 'link' });
  });

  test('is made once when many add it at once', async () => {
    const email = freshAddress();
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    const { body } = await api().get('/v1/suppressions').query({ search: email }).expect(200);
    expect(body.data).toHaveLength(1);
  });

  test('is a blocking one that remembers the opt-out, in whatever order they race', async () => {
    for (let round = 0; round < 10; round++) {
      const email = freshAddress();
      await Promise.all([
        report({ email, reason: 'unsubscribe', source: 'link' }),
        report({ email, reason: 'hard_bounce', source: 'smtp' }),
        report({ email, reason: 'complaint', source: 'arf' }),
      ]);
      expect((await stateOf(email)).suppression?.reason).toBe('complaint');
      await api()
        .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
        .expect(200);
      expect((await stateOf(email)).suppression).toMatchObject({ reason: 'unsubscribe', source: 'link' });
    }
  });

  test('loses its opt-out, hidden or not, and nothing else, when the person subscribes again', async () => {
    const [seen, hidden, none] = [freshAddress(), freshAddress(), freshAddress()];
    await report({ email: seen, reason: 'unsubscribe', source: 'link' });
    await report({ email: hidden, reason: 'unsubscribe', source: 'link' });
    await report({ email: hidden, reason: 'manual', source: 'api' });
    await report({ email: none, reason: 'manual', source: 'api' });
    const forget = (email: string): Promise<boolean> => inTransaction((session) => forgetOptOut(session, project, email));
    expect(await Promise.all([seen, hidden, none, freshAddress()].map(forget))).toEqual([true, true, false, false]);
    expect((await stateOf(seen)).suppressed).toBe(false);
    expect((await stateOf(hidden)).suppression?.reason).toBe('manual');
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(hidden)}`)
      .expect(200);
    expect((await stateOf(hidden)).suppressed).toBe(false);
    expect((await stateOf(none)).suppression?.reason).toBe('manual');
  });
});

describe('list', () => {
  async function walk(query: object, onPage: (index: number) => Promise<void> = async () => undefined): Promise<string[]> {
    const emails: string[] = [];
    let cursor: string | null = null;
    for (let index = 0; index === 0 || cursor; index++) {
      const { body }: { body: { data: { email: string }[]; nextCursor: string | null } } = await api()
        .get('/v1/suppressions')
        .query({ ...query, ...(cursor && { cursor }) })
        .expect(200);
      emails.push(...body.data.map(({ email }) => email));
      cursor = body.nextCursor;
      await onPage(index);
    }
    return emails;
  }

  test('walks newest first, each row once, while rows come and go', async () => {
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

  test('walks through rows of one instant', async () => {
    const at = new Date();
    const emails = Array.from({ length: 9 }, (_, index) => `tie${index}@tie.test`);
    await Promise.all(
      emails.map((email) => inTransaction((session) => suppress(session, project, { email, reason: 'complaint', source: 'arf', at }))),
    );
    const seen = await walk({ search: 'tie.test', limit: 2, reason: 'complaint' });
    expect(seen.sort()).toEqual(emails);
  });

  test('filters by reason and by part of the address, which is no pattern', async () => {
    await add('plus+tag@filter.test', 'unsubscribe').expect(201);
    await add('plain@filter.test', 'hard_bounce').expect(201);
    expect(await walk({ search: 'filter.test', reason: 'unsubscribe' })).toEqual(['plus+tag@filter.test']);
    expect(await walk({ search: 'S+T' })).toEqual(['plus+tag@filter.test']);
    expect(await walk({ search: 'filter?test' })).toEqual([]);
    expect(await walk({ search: '.*@filter' })).toEqual([]);
  });

  test('takes back its own cursors only', async () => {
    const { body } = await api().get('/v1/suppressions?limit=1').expect(200);
    const cursor = body.nextCursor as string;
    await api().get('/v1/suppressions').query({ limit: 1, cursor }).expect(200);
    for (const query of [{ cursor: `${cursor}x` }, { cursor: 'x' }, { cursor, reason: 'manual' }]) {
      const { body: refused } = await api().get('/v1/suppressions').query(query).expect(422);
      expect(refused.details).toEqual([expect.objectContaining({ path: 'cursor', code: 'invalid_cursor' })]);
    }
    await api(other).get('/v1/suppressions').query({ cursor }).expect(422);
    await api().get('/v1/suppressions?limit=0').expect(422);
    await api().get('/v1/suppressions?limit=101').expect(422);
    await api().get('/v1/suppressions?reason=other').expect(422);
  });

  test('reads along indexes, without sorting', async () => {
    const { body } = await api().get('/v1/suppressions?limit=1').expect(200);
    const plans = await queryPlans('suppressions', async () => {
      await api()
        .get('/v1/suppressions')
        .query({ limit: 1, cursor: body.nextCursor as string })
        .expect(200);
      await api().get('/v1/suppressions?reason=manual&search=x').expect(200);
      await stateOf('someone@example.com');
      await findSuppressions(project._id, project.idSalt, ['a@example.com', 'b@example.com']);
      await api().delete('/v1/suppressions/someone%40example.com').expect(404);
    });
    expect(plans).toHaveLength(5);
    for (const { plan, sorted } of plans) expect({ plan, sorted }).toEqual({ plan: expect.stringMatching(/IXSCAN|IDHACK/), sorted: false });
  });
});

test("another project's suppression is not there", async () => {
  const email = freshAddress();
  const { body } = await add(email).expect(201);
  const id = body.data.suppressionId as string;
  for (const which of [id, encodeURIComponent(email)]) {
    expect((await api(other).get(`/v1/suppressions/${which}`).expect(200)).body.data.suppressed).toBe(false);
    await api(other).delete(`/v1/suppressions/${which}`).expect(404);
  }
  expect((await api(other).get('/v1/suppressions').expect(200)).body).toEqual({ success: true, data: [], nextCursor: null });
  expect((await stateOf(email)).suppressed).toBe(true);
});

test('finds the records of many addresses by address', async () => {
  const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()];
  await add(first).expect(201);
  await add(third, 'unsubscribe').expect(201);
  const found = await findSuppressions(project._id, project.idSalt, [first, second, third]);
  expect([...found].map(([email, { reason }]) => [email, reason]).sort()).toEqual([
    [first, 'manual'],
    [third, 'unsubscribe'],
  ]);
  expect((await findSuppressions(project._id, project.idSalt, [])).size).toBe(0);
});
