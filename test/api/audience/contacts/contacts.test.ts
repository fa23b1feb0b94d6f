import { aProject } from '../../../support/platform/app';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject();

const { api, upsert, get, emitted } = contactCalls(() => app);
const suppress = (email: string, reason: string) => api().post('/v1/suppressions').send({ email, reason });
const reasonOf = async (email: string): Promise<string | null> => {
  const { body } = await api().get('/v1/suppressions/check').query({ email }).expect(200);
  return (body.data.suppression?.reason ?? null) as string | null;
};

describe('create or update', () => {
  test('answers a new contact whole, with 201, and emits its event', async () => {
    const email = freshAddress();
    const { body } = await api()
      .post('/v1/contacts')
      .send({
        email: email.toUpperCase(),
        firstName: 'Ada',
        lastName: 'L',
        locale: 'en-GB',
        timezone: 'Europe/London',
        data: { plan: 'pro', seats: 0, gone: null },
      })
      .expect(201);
    expect(body).toEqual({
      success: true,
      data: {
        contactId: expect.stringMatching(/^ctc_[0-9a-z]{26}$/),
        projectId: app.keys.projectId,
        email,
        firstName: 'Ada',
        lastName: 'L',
        subscribed: true,
        data: { plan: 'pro', seats: 0 },
        locale: 'en-GB',
        timezone: 'Europe/London',
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: body.data.createdAt,
      },
    });
    expect(await get(email)).toEqual(body.data);
    expect(await get(body.data.contactId as string)).toEqual(body.data);
    expect(await emitted(body.data.contactId as string)).toEqual([{ name: 'contact.created', data: { source: 'api' }, testMode: false }]);
  });

  test('has nothing but an address when nothing more is given', async () => {
    expect(await upsert(freshAddress())).toMatchObject({
      firstName: null,
      lastName: null,
      subscribed: true,
      data: null,
      locale: null,
      timezone: null,
    });
  });

  test('keeps what is absent, merges data key by key, removes nulls, and clears', async () => {
    const email = freshAddress();
    const first = await upsert(email, { firstName: 'Ada', locale: 'en', timezone: 'Europe/Vienna', data: { a: 1, b: { c: [1] }, d: 'x' } });
    const second = await upsert(email, { lastName: 'L', firstName: null, data: { a: null, b: { e: 2 }, f: false } }, 200);
    expect(second).toMatchObject({
      firstName: null,
      lastName: 'L',
      locale: 'en',
      timezone: 'Europe/Vienna',
      data: { b: { e: 2 }, d: 'x', f: false },
    });
    expect(second).toMatchObject({ contactId: first.contactId, createdAt: first.createdAt });
    expect(second.updatedAt > first.updatedAt).toBe(true);
    expect((await upsert(email, { data: null }, 200)).data).toBeNull();
    const events = await emitted(first.contactId);
    expect(events.map(({ name }) => name)).toEqual(['contact.created', 'contact.updated', 'contact.updated']);
    expect(new Set(events[1]?.data?.['changed'] as string[])).toEqual(new Set(['firstName', 'lastName', 'data.a', 'data.b', 'data.f']));
    expect(new Set(events[2]?.data?.['changed'] as string[])).toEqual(new Set(['data.b', 'data.d', 'data.f']));
    expect(JSON.stringify(events)).not.toContain(email);
  });

  test('emits nothing and moves no instant when nothing changes', async () => {
    const email = freshAddress();
    const fields = { firstName: 'Ada', data: { list: [1, { a: 1, b: 2 }] }, subscribed: true };
    const first = await upsert(email, fields);
    for (const same of [fields, {}, { data: {} }, { data: { list: [1, { b: 2, a: 1 }] } }, { data: { absent: null } }]) {
      expect(await upsert(email, same, 200)).toEqual(first);
    }
    expect(await emitted(first.contactId)).toHaveLength(1);
  });

  test('emits a change of subscription, and remembers an opt-out', async () => {
    const email = freshAddress();
    const { contactId } = await upsert(email);
    await upsert(email, { subscribed: false }, 200);
    expect((await stored.contacts.one(contactId))?.optedOutAt).toBeInstanceOf(Date);
    expect(await reasonOf(email)).toBeNull();
    await upsert(email, { subscribed: true }, 200);
    expect((await stored.contacts.one(contactId))?.optedOutAt).toBeNull();
    expect((await emitted(contactId)).map(({ name }) => name)).toEqual([
      'contact.created',
      'contact.updated',
      'contact.unsubscribed',
      'contact.updated',
      'contact.subscribed',
    ]);
  });

  test('takes an explicit opt-out of one who was never asked, without a change that anyone sees', async () => {
    const email = freshAddress();
    const { contactId } = await upsert(email);
    await stored.contacts.change(contactId, { subscribed: false });
    const before = await get(contactId);
    expect(await upsert(email, { subscribed: false }, 200)).toEqual(before);
    expect((await stored.contacts.one(contactId))?.optedOutAt).toBeInstanceOf(Date);
    expect(await emitted(contactId)).toHaveLength(1);
  });

  test('a new contact whose address opted out starts unsubscribed and protected, also behind a blocking reason', async () => {
    const [seen, hidden, blocked] = [freshAddress(), freshAddress(), freshAddress()];
    await suppress(seen, 'unsubscribe').expect(201);
    await suppress(hidden, 'unsubscribe').expect(201);
    await suppress(hidden, 'manual').expect(201);
    await suppress(blocked, 'manual').expect(201);
    for (const email of [seen, hidden]) {
      const { subscribed, contactId } = await upsert(email);
      expect(subscribed).toBe(false);
      expect((await stored.contacts.one(contactId))?.optedOutAt).toBeInstanceOf(Date);
      expect((await emitted(contactId)).map(({ name }) => name)).toEqual([
        ...(email === hidden ? ['contact.suppressed'] : []),
        'contact.created',
      ]);
    }
    expect((await upsert(blocked)).subscribed).toBe(true);
    expect([await reasonOf(seen), await reasonOf(hidden), await reasonOf(blocked)]).toEqual(['unsubscribe', 'manual', 'manual']);
  });

  test('subscribing forgets an opt-out and no other suppression, for new contacts and known ones', async () => {
    const [fresh, known, hidden, blocked] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()];
    for (const email of [known, hidden, blocked]) await upsert(email);
    for (const email of [fresh, known, hidden]) await suppress(email, 'unsubscribe').expect(201);
    for (const email of [hidden, blocked]) await suppress(email, 'complaint').expect(201);
    expect((await upsert(fresh, { subscribed: true })).subscribed).toBe(true);
    for (const email of [known, hidden, blocked]) await upsert(email, { subscribed: true }, 200);
    expect(await Promise.all([fresh, known, hidden, blocked].map(reasonOf))).toEqual([null, null, 'complaint', 'complaint']);
    await api()
      .delete(`/v1/suppressions/${encodeURIComponent(hidden)}`)
      .expect(200);
    expect(await reasonOf(hidden)).toBeNull();
  });

  test('counts the data that is there already', async () => {
    const email = freshAddress();
    const keys = (from: number, to: number) => Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`k${from + index}`, 1]));
    await upsert(email, { data: keys(0, 150) });
    const tooMany = await api()
      .post('/v1/contacts')
      .send({ email, data: keys(100, 201) })
      .expect(422);
    expect(tooMany.body).toMatchObject({ code: 'validation_error', details: [{ path: 'data', code: 'too_big' }] });
    await upsert(email, { data: keys(100, 200) }, 200);
    const large = freshAddress();
    await upsert(large, { data: { a: 'x'.repeat(20_000) } });
    const tooLarge = await api()
      .post('/v1/contacts')
      .send({ email: large, data: { b: 'x'.repeat(20_000) } })
      .expect(422);
    expect(tooLarge.body.details).toEqual([expect.objectContaining({ path: 'data', code: 'too_big' })]);
    expect(Object.keys((await get(large)).data ?? {})).toEqual(['a']);
    await upsert(large, { data: { a: null, b: 'x'.repeat(20_000) } }, 200);
  });

  test.each<[object, string, string]>([
    [{}, 'email', 'invalid_type'],
    [{ email: 'none' }, 'email', 'invalid_string'],
    [{ email: 'a@example.com', subscribed: 'yes' }, 'subscribed', 'invalid_type'],
    [{ email: 'a@example.com', timezone: 'Mars/Olympus' }, 'timezone', 'invalid_string'],
    [{ email: 'a@example.com', timezone: '+02:00' }, 'timezone', 'invalid_string'],
    [{ email: 'a@example.com', timezone: 'x'.repeat(65) }, 'timezone', 'too_big'],
    [{ email: 'a@example.com', locale: 'not a tag' }, 'locale', 'invalid_string'],
    [{ email: 'a@example.com', locale: '' }, 'locale', 'invalid_string'],
    [{ email: 'a@example.com', locale: 'de\n' }, 'locale', 'invalid_string'],
    [{ email: 'a@example.com', locale: `de-${'x'.repeat(62)}` }, 'locale', 'too_big'],
    [{ email: 'a@example.com', data: [] }, 'data', 'invalid_type'],
    [{ email: 'a@example.com', data: { 'a.b': 1 } }, 'data.a.b', 'invalid_string'],
    [{ email: 'a@example.com', data: { $where: 1 } }, 'data.$where', 'reserved_name'],
    [{ email: 'a@example.com', data: { a: { $ne: 1 } } }, 'data.a.$ne', 'reserved_name'],
    [{ email: 'a@example.com', data: { a: { _bsontype: 'ObjectId' } } }, 'data.a._bsontype', 'reserved_name'],
    [{ email: 'a@example.com', data: { _bsontype: 'Code', code: 'x' } }, 'data._bsontype', 'reserved_name'],
    [{ email: 'a@example.com', data: { a: { b: { c: { d: { e: { f: 1 } } } } } } }, 'data', 'too_big'],
    [{ email: 'a@example.com', firstName: 'A\nB' }, 'firstName', 'invalid_string'],
    [{ email: 'a@example.com', firstName: 'x'.repeat(201) }, 'firstName', 'too_big'],
    [{ email: 'a@example.com', contactId: 'x' }, 'contactId', 'unrecognized_keys'],
    [{ email: { $gt: '' } }, 'email', 'invalid_type'],
  ])('refuses %j', async (given, path, code) => {
    const { body } = await api().post('/v1/contacts').send(given).expect(422);
    expect(body.code).toBe('validation_error');
    const there = (body.details as { path: string }[]).filter((detail) => detail.path === path);
    expect(there).toEqual([expect.objectContaining({ path, code })]);
  });

  test('keeps hostile values as they are', async () => {
    const data = {
      html: '<script>alert(1)</script>',
      nul: 'a\u0000b',
      dots: { 'a.b': 1, '': 2 },
      big: 1e308,
      tiny: -0.1,
      int: 2 ** 53,
      list: [[]],
      o: {},
      half: 'a\ud800b',
    };
    const answered = await upsert(freshAddress(), { firstName: '{{data.x}} $where', data });
    expect(answered).toMatchObject({ firstName: '{{data.x}} $where', data: { ...data, half: 'a\ufffdb' } });
    expect(await get(answered.email)).toEqual(answered);
  });

  test('of 40 at once makes one contact and loses no field', async () => {
    const email = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        api()
          .post('/v1/contacts')
          .send({ email, data: { [`k${index}`]: index } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(39);
    const { data, contactId } = await get(email);
    expect(Object.keys(data ?? {})).toHaveLength(40);
    const events = await emitted(contactId);
    expect(events.filter(({ name }) => name === 'contact.created')).toHaveLength(1);
    expect(events.filter(({ name }) => name === 'contact.updated')).toHaveLength(39);
  });

  test('with a test key changes the same contacts and emits events in test mode', async () => {
    const email = freshAddress();
    const { contactId } = await upsert(email, {}, 201, app.keys.test);
    await upsert(email, { firstName: 'A' }, 200);
    const events = await emitted(contactId);
    expect(events.map(({ testMode, data }) => [testMode, data?.['testMode']])).toEqual([
      [true, true],
      [false, undefined],
    ]);
  });
});

describe('look up', () => {
  test('is 404 for what is not there and 422 for what is no id', async () => {
    await api().get('/v1/contacts/ctc_unknown').expect(404);
    await api()
      .get(`/v1/contacts/${encodeURIComponent('nobody@example.com')}`)
      .expect(404);
    const { body } = await api().get('/v1/contacts/not%20an%20id').expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'id' })]);
    await api().get('/v1/contacts/a%40').expect(422);
    await api(app.keys.public).get('/v1/contacts').expect(401);
  });

  test('finds an address in any case and an internationalised domain', async () => {
    const { contactId } = await upsert('Jürgen@bücher.example'.replace('ü', 'u'));
    expect((await get('JURGEN@BÜCHER.example')).contactId).toBe(contactId);
  });
});
