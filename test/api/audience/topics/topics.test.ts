import { aProject } from '../../../support/platform/app';
import { contactCalls } from '../contacts/calls';
import { topicCalls } from '../../../support/calls/topics';
import type { WireTopic } from '../../../support/calls/topics';
import { freshAddress } from '../../../support/data/people';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', MAX_TOPICS: '40' } });
const { api, upsert, emitted, get } = contactCalls(() => app);

const { topic: create, freshKey, choose: change, ofContact } = topicCalls(() => app);
const contactTopics = async (which: string) => (await api().get(`/v1/contacts/${which}/topics`).expect(200)).body.data.data as unknown;

describe('topics', () => {
  test('answer with the whole topic', async () => {
    const key = freshKey();
    const names = { de: 'Neues', 'pt-BR': 'Novidades' };
    const made = await create({ key, names, description: 'Once a month', defaultSubscription: 'out', visibility: 'private', order: 3 });
    expect(made).toEqual({
      topicId: expect.stringMatching(/^tpc_[0-9a-z]{26}$/),
      key,
      name: 'News',
      names,
      description: 'Once a month',
      defaultSubscription: 'out',
      visibility: 'private',
      order: 3,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: made['createdAt'],
    });
    const { body } = await api().get(`/v1/topics/${made.topicId}`).expect(200);
    expect(body).toEqual({ success: true, data: made });
  });

  test('are listed by their order, then by age', async () => {
    const [late, first, second] = [await create({ order: 2 }), await create({ order: 1 }), await create({ order: 1 })] as const;
    const { body } = await api().get('/v1/topics').expect(200);
    const ids = (body.data.data as WireTopic[]).map(({ topicId }) => topicId);
    const own = ids.filter((id) => [late, first, second].some(({ topicId }) => topicId === id));
    expect(own).toEqual([first.topicId, second.topicId, late.topicId]);
    expect(body.data).toEqual({ data: expect.any(Array) });
  });

  test('have a key of their own in a project, of ten requests at once too', async () => {
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api().post('/v1/topics').send({ key, name: 'N', defaultSubscription: 'in' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ success: false, code: 'conflict' });
  });

  test('keep their key and their default', async () => {
    const { topicId } = await create();
    const { body } = await api().patch(`/v1/topics/${topicId}`).send({ key: 'other', defaultSubscription: 'out', name: 'N' }).expect(422);
    expect((body.details as { path: string; code: string }[]).map(({ path, code }) => [path, code]).sort()).toEqual([
      ['defaultSubscription', 'unrecognized_keys'],
      ['key', 'unrecognized_keys'],
    ]);
    const changed = await api().patch(`/v1/topics/${topicId}`).send({ name: 'Novelties', order: 9 }).expect(200);
    expect(changed.body.data).toMatchObject({ name: 'Novelties', order: 9, visibility: 'public' });
    expect((await api().patch(`/v1/topics/${topicId}`).send({}).expect(200)).body.data).toEqual(changed.body.data);
  });

  test('name every fault of a body', async () => {
    const { body } = await api()
      .post('/v1/topics')
      .send({ key: 'no key', name: '', names: { 'not a language': 'x', de: 5 }, defaultSubscription: 'maybe', order: 1.5, extra: 1 })
      .expect(422);
    const details = body.details as { path: string; code: string }[];
    expect(details.map(({ path, code }) => [path, code]).sort()).toEqual([
      ['defaultSubscription', 'invalid_enum_value'],
      ['extra', 'unrecognized_keys'],
      ['key', 'invalid_string'],
      ['name', 'too_small'],
      ['names.de', 'invalid_type'],
      ['names.not a language', 'invalid_string'],
      ['order', 'invalid_type'],
    ]);
  });

  test('have no key that a column or a custom field cannot have', async () => {
    const { body } = await api().post('/v1/topics').send({ key: '__proto__', name: 'x', defaultSubscription: 'in' }).expect(422);
    expect(body.details).toMatchObject([{ path: 'key', code: 'reserved_name' }]);
  });

  test('of another project are not found', async () => {
    const { topicId } = await create({}, app.otherKeys.secret);
    await api().get(`/v1/topics/${topicId}`).expect(404);
    await api().patch(`/v1/topics/${topicId}`).send({ name: 'N' }).expect(404);
    await api().delete(`/v1/topics/${topicId}`).expect(404);
  });

  test('are deleted', async () => {
    const { topicId } = await create();
    const { body } = await api().delete(`/v1/topics/${topicId}`).expect(200);
    expect(body).toEqual({ success: true, data: { success: true } });
    await api().get(`/v1/topics/${topicId}`).expect(404);
  });
});

describe('the topics of a contact', () => {
  test('go by the default until the contact says otherwise', async () => {
    const [news, offers] = [await create(), await create({ defaultSubscription: 'out' })];
    const { contactId } = await upsert(freshAddress());
    const silent = { explicit: false, since: null, source: null, name: 'News' };
    expect(await ofContact(contactId, news)).toEqual({ topicId: news.topicId, key: news.key, subscribed: true, ...silent });
    expect(await ofContact(contactId, offers)).toEqual({ topicId: offers.topicId, key: offers.key, subscribed: false, ...silent });

    const { body } = await change(contactId, [
      { topicId: news.topicId, subscribed: false },
      { topicId: offers.topicId, subscribed: true },
    ]);
    const said = { explicit: true, since: expect.stringMatching(/Z$/), source: 'api', name: 'News' };
    expect(await ofContact(contactId, news)).toEqual({ topicId: news.topicId, key: news.key, subscribed: false, ...said });
    expect(await ofContact(contactId, offers)).toEqual({ topicId: offers.topicId, key: offers.key, subscribed: true, ...said });
    expect(body.data.data).toEqual(await contactTopics(contactId));
  });

  test('emit an event where they change, and nothing where they do not', async () => {
    const news = await create();
    const email = freshAddress();
    const { contactId } = await upsert(email);
    const { topicId, key } = news;
    await change(contactId, [{ topicId, subscribed: true }]);
    await change(contactId, [{ topicId, subscribed: false }]);
    const { updatedAt } = await get(contactId);
    const left = await ofContact(contactId, news);
    await change(encodeURIComponent(email), [{ topicId, subscribed: false }]);
    expect(await ofContact(contactId, news)).toEqual(left);
    expect((await get(contactId)).updatedAt).toBe(updatedAt);
    await change(contactId, [{ topicId, subscribed: true }]);
    const events = (await emitted(contactId)).filter(({ name }) => name.startsWith('contact.topic_'));
    const data = { topicId, key, source: 'api' };
    expect(events.map(({ name, data }) => ({ name, data }))).toEqual([
      { name: 'contact.topic_unsubscribed', data },
      { name: 'contact.topic_subscribed', data },
    ]);
    const timeline = await api().get(`/v1/contacts/${contactId}/timeline`).expect(200);
    expect((timeline.body.data as { name: string }[]).map(({ name }) => name)).toEqual([
      'contact.topic_subscribed',
      'contact.topic_unsubscribed',
      'contact.created',
    ]);
  });

  test('name an unknown topic, and change nothing then', async () => {
    const news = await create();
    const { contactId } = await upsert(freshAddress());
    const wanted = [news.topicId, 'tpc_unknown'].map((topicId) => ({ topicId, subscribed: false }));
    const { body } = await change(contactId, wanted, 422);
    expect(body.details).toEqual([{ path: 'topics.1.topicId', code: 'not_found', message: 'Topic not found' }]);
    expect(await ofContact(contactId, news)).toMatchObject({ subscribed: true, explicit: false });
    await api().get('/v1/contacts/ctc_unknown/topics').expect(404);
    await change('ctc_unknown', [{ topicId: news.topicId, subscribed: false }], 404);
  });

  test('come back as they went: a contact that is deleted and made again stays out', async () => {
    const [news, offers] = [await create(), await create({ defaultSubscription: 'out' })];
    const email = freshAddress();
    const { contactId } = await upsert(email);
    await change(contactId, [
      { topicId: news.topicId, subscribed: false },
      { topicId: offers.topicId, subscribed: true },
    ]);
    await api().delete(`/v1/contacts/${contactId}`).expect(200);
    await upsert(email);
    expect(await ofContact(contactId, news)).toMatchObject({ subscribed: false, explicit: true, source: 'api' });
    // What a person agreed to went with the person.
    expect(await ofContact(contactId, offers)).toMatchObject({ subscribed: false, explicit: false });
  });

  test('lose no change of many at once', async () => {
    const topics = await Promise.all(Array.from({ length: 8 }, () => create()));
    const { contactId } = await upsert(freshAddress());
    await Promise.all(topics.map(({ topicId }) => change(contactId, [{ topicId, subscribed: false }])));
    for (const topic of topics) expect(await ofContact(contactId, topic)).toMatchObject({ subscribed: false });
  });
});
