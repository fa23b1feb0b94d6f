import { withoutBlocked } from '../../../../src/sending/deliver/recheck';
import { aProject } from '../../../support/platform/app';
import { topicCalls } from '../../../support/calls/topics';
import { faultsOf } from '../../../support/calls/campaigns';
import { freshAddress } from '../../../support/data/people';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { topic, leave, join } = topicCalls(() => app);
const api = (key?: string) => app.api(key);

const MESSAGE = { subject: 'Hello', text: 'Hello', from: 'team@hello.test', type: 'marketing' };
const send = (to: unknown, more: object = {}) =>
  api()
    .post('/v1/send')
    .send({ to, ...MESSAGE, ...more });
const resultOf = async (to: string, more: object = {}) => (await send(to, more).expect(200)).body.data.results[0] as { id: string };
const contact = async (email: string): Promise<string> =>
  (await api().post('/v1/contacts').send({ email }).expect(201)).body.data.contactId as string;
const template = async (more: object = {}) =>
  (
    await api()
      .post('/v1/templates')
      .send({ name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test', type: 'marketing', ...more })
      .expect(201)
  ).body.data as { templateId: string; topicId?: string };

describe('a message of a topic', () => {
  test('goes to who is in it, by default or by choice, and is skipped for the others', async () => {
    const [news, offers] = [await topic(), await topic({ defaultSubscription: 'out' })];
    const [byDefault, chose, left] = [freshAddress(), freshAddress(), freshAddress()];
    await contact(byDefault);
    await join(await contact(chose), offers);
    await leave(await contact(left), news);
    const sent = (to: string) => ({ to, status: 'queued', id: expect.any(String) });
    const skipped = (to: string, { topicId }: { topicId: string }) => ({ to, skipped: 'unsubscribed', detail: { topicId } });
    expect(await resultOf(byDefault, { topicId: news.topicId })).toEqual(sent(byDefault));
    expect(await resultOf(byDefault, { topicId: offers.topicId })).toEqual(skipped(byDefault, offers));
    expect(await resultOf(chose, { topicId: offers.topicId })).toEqual(sent(chose));
    expect(await resultOf(left, { topicId: news.topicId })).toEqual(skipped(left, news));
    // Other mail still goes.
    expect(await resultOf(left)).toEqual(sent(left));
    expect(await resultOf(left, { type: 'transactional' })).toEqual(sent(left));
  });

  test('is skipped for the first of several reasons', async () => {
    const { topicId } = await topic();
    const email = freshAddress();
    await leave(await contact(email), { topicId, key: '' });
    await api().post('/v1/contacts').send({ email, subscribed: false }).expect(200);
    expect(await resultOf(email, { topicId })).toEqual({ to: email, skipped: 'unsubscribed' });
    await api().post('/v1/suppressions').send({ email }).expect(201);
    expect(await resultOf(email, { topicId })).toEqual({ to: email, skipped: 'suppressed' });
  });

  test('says its topic', async () => {
    const { topicId } = await topic();
    const { id } = await resultOf(freshAddress(), { topicId });
    expect((await api().get(`/v1/emails/${id}`).expect(200)).body.data).toMatchObject({ topicId, type: 'marketing' });
    const { id: other } = await resultOf(freshAddress());
    expect((await api().get(`/v1/emails/${other}`).expect(200)).body.data).not.toHaveProperty('topicId');
  });

  test('is refused where its topic is unknown, and of transactional mail', async () => {
    const { topicId } = await topic();
    const unknown = await send(freshAddress(), { topicId: 'tpc_unknown' }).expect(422);
    expect(unknown.body.code).toBe('validation_error');
    expect(faultsOf(unknown.body)).toEqual([['topicId', 'not_found']]);
    for (const type of ['transactional', undefined]) {
      const { body } = await send(freshAddress(), { topicId, type }).expect(422);
      expect(faultsOf(body)).toEqual([['topicId', 'invalid_combination']]);
    }
    const to = freshAddress();
    const messages = [
      { to, ...MESSAGE, topicId },
      { to, ...MESSAGE, topicId: 'tpc_unknown' },
    ];
    const { body } = await api().post('/v1/send/batch').send({ messages }).expect(200);
    expect(body.data.results).toMatchObject([
      { to, status: 'queued' },
      { error: { code: 'send_failed', details: [{ path: 'topicId', code: 'not_found' }] } },
    ]);
    const wrong = [messages[0], { to, subject: 'S', text: 'T', type: 'transactional', topicId }];
    const refused = await api().post('/v1/send/batch').send({ messages: wrong }).expect(422);
    expect(faultsOf(refused.body)).toEqual([['messages.1.topicId', 'invalid_combination']]);
  });

  test('is not sent to an address that left the topic and is no contact any more', async () => {
    const news = await topic();
    const email = freshAddress();
    const contactId = await contact(email);
    await leave(contactId, news);
    await api().delete(`/v1/contacts/${contactId}`).expect(200);
    const skipped = { to: email, skipped: 'unsubscribed', detail: { topicId: news.topicId } };
    expect(await resultOf(email, { topicId: news.topicId, createContact: false })).toEqual(skipped);
    expect(await resultOf(email, { topicId: news.topicId })).toEqual(skipped);
    // Other mail makes a contact of it, which stays out.
    await resultOf(email);
    expect(await resultOf(email, { topicId: news.topicId })).toEqual(skipped);
  });

  test('that waits is cancelled when its recipient leaves the topic', async () => {
    const news = await topic();
    const [leaves, stays] = [freshAddress(), freshAddress()];
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const ids: string[] = [];
    for (const to of [leaves, stays]) ids.push((await resultOf(to, { topicId: news.topicId, sendAt })).id);
    await leave(encodeURIComponent(leaves), news);
    const due = await stored.emails.all({ _id: { $in: ids } });
    const wanted = await withoutBlocked(app.core, due, new Date());
    expect(wanted.map(({ to }) => to)).toEqual([stays]);
    expect(await stored.emails.get(ids[0] ?? '')).toMatchObject({ status: 'cancelled' });
  });
});

describe('the topic of a template', () => {
  test('is that of its messages, unless they name another', async () => {
    const [news, offers] = [await topic(), await topic()];
    const { templateId, topicId } = await template({ topicId: news.topicId });
    expect(topicId).toBe(news.topicId);
    const email = freshAddress();
    await leave(await contact(email), news);
    const of = (more: object) =>
      api()
        .post('/v1/send')
        .send({ to: email, templateId, ...more })
        .expect(200);
    expect((await of({})).body.data.results[0]).toMatchObject({ skipped: 'unsubscribed', detail: { topicId: news.topicId } });
    expect((await of({ topicId: offers.topicId })).body.data.results[0]).toMatchObject({ status: 'queued' });
    expect((await of({ type: 'transactional' })).body.data.results[0]).toMatchObject({ status: 'queued' });
  });

  test('has to exist, and is for marketing templates', async () => {
    const { topicId } = await topic();
    const refused = (change: object) =>
      api()
        .post('/v1/templates')
        .send({ name: 'N', subject: 'S', body: 'B', fromEmail: 'team@hello.test', ...change })
        .expect(422);
    expect(faultsOf((await refused({ topicId, type: 'transactional' })).body)).toEqual([['topicId', 'invalid_combination']]);
    expect(faultsOf((await refused({ topicId: 'tpc_unknown', type: 'marketing' })).body)).toEqual([['topicId', 'not_found']]);
    const { templateId } = await template({ topicId });
    const patch = (change: object, status: number) => api().patch(`/v1/templates/${templateId}`).send(change).expect(status);
    expect(faultsOf((await patch({ type: 'transactional' }, 422)).body)).toEqual([['topicId', 'invalid_combination']]);
    expect(faultsOf((await patch({ topicId: 'tpc_unknown' }, 422)).body)).toEqual([['topicId', 'not_found']]);
    const { body } = await patch({ topicId: null }, 200);
    expect(body.data).toMatchObject({ version: 1 });
    expect(body.data).not.toHaveProperty('topicId');
  });

  test('is not deleted while the template names it', async () => {
    const { topicId } = await topic();
    const { templateId } = await template({ topicId });
    const { body } = await api().delete(`/v1/topics/${topicId}`).expect(409);
    expect(body).toMatchObject({ code: 'in_use', error: 'The template “News” uses this topic' });
    await api().patch(`/v1/templates/${templateId}`).send({ topicId: null }).expect(200);
    await api().delete(`/v1/topics/${topicId}`).expect(200);
  });
});
