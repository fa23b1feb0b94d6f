import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { findSuppressions, forgetOptOut, suppress } from '../../../../src/records/suppressions/service';
import type { NewSuppression } from '../../../../src/records/suppressions/service';
import { aProject } from '../../../support/platform/app';
import { theProjectOf } from '../../../support/data/projects';
import { freshAddress } from '../../../support/data/people';

const app = aProject();
const project = theProjectOf(app);

const api = (key?: string) => app.api(key);
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

describe('a note', () => {
  const noted = async (email: string): Promise<unknown> => {
    const { body } = await api().get('/v1/suppressions').query({ search: email }).expect(200);
    const { suppression } = await stateOf(email);
    expect(body.data).toEqual([suppression]);
    return (suppression as { note?: string } | null)?.note;
  };
  const change = (which: string, body: object) => api().patch(`/v1/suppressions/${which}`).send(body);

  test('is kept as it was given, changed by id or address, and removed', async () => {
    const email = freshAddress();
    const { body } = await api().post('/v1/suppressions').send({ email, note: 'Asked by phone,\n“never again”' }).expect(201);
    expect(body.data.note).toBe('Asked by phone,\n“never again”');
    expect(await noted(email)).toBe('Asked by phone,\n“never again”');
    await api().post('/v1/suppressions').send({ email, note: 'Another' }).expect(200);
    expect(await noted(email)).toBe('Asked by phone,\n“never again”');
    expect((await change(encodeURIComponent(email), { note: 'By letter' }).expect(200)).body.data.note).toBe('By letter');
    expect(await noted(email)).toBe('By letter');
    await change(body.data.suppressionId as string, { note: null }).expect(200);
    expect(await noted(email)).toBeUndefined();
  });

  test('of an opt-out comes back with it', async () => {
    const email = freshAddress();
    await api().post('/v1/suppressions').send({ email, reason: 'unsubscribe', note: 'Opted out' }).expect(201);
    await api().post('/v1/suppressions').send({ email, note: 'Blocked' }).expect(201);
    expect(await noted(email)).toBe('Blocked');
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(email)}`)
      .expect(200);
    expect(await noted(email)).toBe('Opted out');
  });

  test('is refused where it is too long, and of what is not there', async () => {
    const { body } = await api()
      .post('/v1/suppressions')
      .send({ email: freshAddress(), note: 'x'.repeat(501) })
      .expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'note', code: 'too_big' })]);
    await change('sup_unknown', { note: 'x' }).expect(404);
    await change('sup_unknown', {}).expect(422);
  });
});

describe('an import', () => {
  const bring = (suppressions: readonly object[]) => api().post('/v1/suppressions/import').send({ suppressions });

  test('adds each address once, with its reason and note; repeated, it changes nothing', async () => {
    const [known, optedOut, ...fresh] = Array.from({ length: 210 }, freshAddress) as [string, string, ...string[]];
    const [first = ''] = fresh;
    await add(known, 'hard_bounce').expect(201);
    await add(optedOut, 'unsubscribe').expect(201);
    const rows = [
      { email: known, note: 'From a list' },
      { email: optedOut },
      ...fresh.map((email) => ({ email: email.toUpperCase(), reason: 'complaint', note: `Old system, ${email}` })),
      { email: first, reason: 'manual' },
    ];
    const answer = async () => (await bring(rows).expect(200)).body.data as unknown;
    expect(await answer()).toEqual({ added: fresh.length + 1, unchanged: 2 });
    const states = async () =>
      Promise.all([known, optedOut, first, fresh.at(-1) ?? ''].map(async (email) => (await stateOf(email)).suppression));
    const before = await states();
    expect(before).toMatchObject([
      { reason: 'hard_bounce', source: 'api' },
      { reason: 'manual', source: 'import' },
      { reason: 'complaint', source: 'import', note: `Old system, ${first}` },
      { reason: 'complaint', source: 'import', note: `Old system, ${fresh.at(-1)}` },
    ]);
    expect(before[0]).not.toHaveProperty('note');
    expect(await answer()).toEqual({ added: 0, unchanged: rows.length });
    expect(await states()).toEqual(before);
  });

  test('with a row that is none imports nothing, and names each', async () => {
    const email = freshAddress();
    const { body } = await bring([{ email }, { email: 'no address' }, { email: 'a@example.com', reason: 'other' }]).expect(422);
    expect(body.details).toMatchObject([
      { path: 'suppressions.1.email', code: 'invalid_string' },
      { path: 'suppressions.2.reason', code: 'invalid_enum_value' },
    ]);
    expect((await stateOf(email)).suppressed).toBe(false);
    await bring([]).expect(422);
  });

  test("never replaces what a recipient's provider or server reported", async () => {
    const email = freshAddress();
    await report({ email, reason: 'hard_bounce', source: 'dsn' });
    await bring([{ email, reason: 'complaint' }]).expect(200);
    expect((await stateOf(email)).suppression).toMatchObject({ reason: 'hard_bounce', source: 'dsn' });
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

  test('is a blocking one that remembers the opt-out, in any order of a race', async () => {
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

test("another project's suppression is not there", async () => {
  const email = freshAddress();
  const { body } = await add(email).expect(201);
  const id = body.data.suppressionId as string;
  for (const which of [id, encodeURIComponent(email)]) {
    expect((await api(app.otherKeys.secret).get(`/v1/suppressions/${which}`).expect(200)).body.data.suppressed).toBe(false);
    await api(app.otherKeys.secret).delete(`/v1/suppressions/${which}`).expect(404);
  }
  expect((await api(app.otherKeys.secret).get('/v1/suppressions').expect(200)).body).toEqual({ success: true, data: [], nextCursor: null });
  expect((await stateOf(email)).suppressed).toBe(true);
});

test('suppressions of many addresses are found by address', async () => {
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
