import { Resend } from 'resend';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const client = (): Resend => new Resend(app.keys.secret, { baseUrl: `${app.url}/compat/resend` });

/** The data of an answer, which has to be one. */
async function good<T>(answer: PromiseLike<{ readonly data: T | null; readonly error: unknown }>): Promise<T> {
  const { data, error } = await answer;
  expect(error).toBeNull();
  return data as T;
}

const failure = async (answer: PromiseLike<{ readonly error: unknown }>) => (await answer).error;

const NOT_FOUND = { statusCode: 404, name: 'not_found' };
const INVALID = { statusCode: 422, name: 'validation_error' };

test('contacts, by id and by address, with their segments, topics and properties', async () => {
  const { contacts, segments, topics } = client();
  const segment = await good(segments.create({ name: 'Readers' }));
  expect(segment).toEqual({ object: 'segment', id: expect.stringMatching(/^seg_/), name: 'Readers' });
  const topic = await good(topics.create({ name: 'Product news', defaultSubscription: 'opt_out' }));
  const made = await good(
    contacts.create({
      email: 'ada@example.com',
      firstName: 'Ada',
      properties: { plan: 'pro', seats: 3 },
      segments: [{ id: segment.id }],
      topics: [{ id: topic.id, subscription: 'opt_in' }],
    }),
  );
  expect(made).toEqual({ object: 'contact', id: expect.stringMatching(/^ctc_/) });
  const ada = {
    id: made.id,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: null,
    unsubscribed: false,
    created_at: expect.any(String),
  };
  expect(await good(contacts.get({ email: 'ada@example.com' }))).toEqual({
    object: 'contact',
    ...ada,
    properties: { plan: 'pro', seats: 3 },
  });
  expect(await good(contacts.segments.list({ email: 'ada@example.com' }))).toMatchObject({
    object: 'list',
    data: [{ id: segment.id, name: 'Readers' }],
  });
  const tooMany = Array.from({ length: 101 }, (_, index) => ({ id: `seg_${index}` }));
  expect(await failure(contacts.create({ email: 'many@example.com', segments: tooMany }))).toMatchObject(INVALID);
  expect(await failure(contacts.get({ email: 'many@example.com' }))).toMatchObject(NOT_FOUND);
  expect(await good(contacts.topics.list({ id: made.id }))).toMatchObject({
    data: [{ id: topic.id, name: 'Product news', subscription: 'opt_in' }],
  });
  await good(contacts.topics.update({ email: 'ada@example.com', topics: [{ id: topic.id, subscription: 'opt_out' }] }));
  expect(await good(contacts.topics.list({ id: made.id }))).toMatchObject({ data: [{ subscription: 'opt_out' }] });
  expect(await good(contacts.update({ email: 'ada@example.com', unsubscribed: true, lastName: 'Lovelace' }))).toEqual({
    object: 'contact',
    id: made.id,
  });
  expect(await good(contacts.get(made.id))).toMatchObject({ last_name: 'Lovelace', unsubscribed: true, first_name: 'Ada' });
  expect(await good(contacts.list())).toEqual({
    object: 'list',
    has_more: false,
    data: [{ ...ada, last_name: 'Lovelace', unsubscribed: true }],
  });

  await good(contacts.segments.remove({ contactId: made.id, segmentId: segment.id }));
  expect((await good(contacts.list({ segmentId: segment.id }))).data).toEqual([]);
  await good(contacts.segments.add({ email: 'ada@example.com', segmentId: segment.id }));
  expect((await good(contacts.list({ audienceId: segment.id }))).data).toHaveLength(1);

  expect(await good(client().contactProperties.list())).toMatchObject({
    data: [
      { key: 'plan', type: 'string' },
      { key: 'seats', type: 'number' },
    ],
  });
  expect(await good(client().contactProperties.get('plan'))).toMatchObject({ object: 'contact_property', id: 'plan' });
  expect(await good(client().contactProperties.create({ key: 'city', type: 'string' }))).toMatchObject({ id: 'city' });
  expect(await failure(client().contactProperties.update({ id: 'plan', fallbackValue: 'free' }))).toMatchObject(INVALID);
  expect(await good(client().contactProperties.remove('seats'))).toMatchObject({ deleted: true });

  expect(await good(contacts.remove({ email: 'ada@example.com' }))).toEqual({ object: 'contact', contact: made.id, deleted: true });
  expect(await failure(contacts.get(made.id))).toMatchObject(NOT_FOUND);
  expect(await failure(contacts.create({ email: 'no address' }))).toMatchObject(INVALID);
});

test('contacts of an audience; leaving it deletes nobody', async () => {
  const { audiences, contacts } = client();
  const { id: audienceId } = await good(audiences.create({ name: 'All' }));
  const { id } = await good(contacts.create({ audienceId, email: 'eve@example.com', unsubscribed: false }));
  expect(await good(contacts.get({ audienceId, id }))).toMatchObject({ id, email: 'eve@example.com' });
  await good(contacts.update({ audienceId, id, firstName: 'Eve' }));
  expect((await good(contacts.list({ audienceId }))).data).toMatchObject([{ id, first_name: 'Eve' }]);
  expect(await good(contacts.remove({ audienceId, email: 'eve@example.com' }))).toMatchObject({ contact: id, deleted: true });
  expect((await good(contacts.list({ audienceId }))).data).toEqual([]);
  expect(await good(contacts.get(id))).toMatchObject({ id });
});

test('segments and topics', async () => {
  const { segments, topics } = client();
  const { id } = await good(segments.create({ name: 'A' }));
  expect(await good(segments.update(id, { name: 'B' }))).toEqual({ object: 'segment', id });
  expect(await good(segments.get(id))).toEqual({ object: 'segment', id, name: 'B', created_at: expect.any(String) });
  expect((await good(segments.list({ limit: 100 }))).data).toContainEqual({ id, name: 'B', created_at: expect.any(String) });
  expect(await good(segments.remove(id))).toEqual({ object: 'segment', id, deleted: true });
  expect(await failure(segments.get(id))).toMatchObject(NOT_FOUND);

  const first = await good(topics.create({ name: 'Weekly', defaultSubscription: 'opt_in', description: 'Each week' }));
  const second = await good(topics.create({ name: 'Weekly', defaultSubscription: 'opt_in' }));
  expect(second.id).not.toBe(first.id);
  await good(topics.update({ id: first.id, name: 'Monthly' }));
  expect(await good(topics.get(first.id))).toMatchObject({
    id: first.id,
    name: 'Monthly',
    description: 'Each week',
    default_subscription: 'opt_in',
  });
  expect((await good(topics.list())).data.map((topic) => topic.id)).toEqual(expect.arrayContaining([first.id, second.id]));
  expect(await good(topics.remove(second.id))).toMatchObject({ id: second.id, deleted: true });
});

test('templates: every version is published, and what has no counterpart is refused', async () => {
  const { templates } = client();
  const given = { name: 'Welcome', from: 'Team <team@hello.test>', subject: 'Hi', html: '<p>{{{NAME}}}</p>' };
  const { id } = await good(templates.create(given).publish());
  expect(await good(templates.get(id))).toMatchObject({
    object: 'template',
    id,
    name: 'Welcome',
    status: 'published',
    from: 'Team <team@hello.test>',
    html: '<p>{{{NAME}}}</p>',
  });
  expect(await good(templates.update(id, { html: '<p>New</p>' }))).toMatchObject({ id });
  expect((await good(templates.get(id))).html).toBe('<p>New</p>');
  const copy = await good(templates.duplicate(id));
  expect((await good(templates.list({ limit: 1 }))).data).toMatchObject([{ id: copy.id }]);
  expect(await good(templates.remove(copy.id))).toMatchObject({ id: copy.id, deleted: true });
  expect(await failure(templates.create({ ...given, alias: 'welcome' }))).toMatchObject({
    ...INVALID,
    message: expect.stringContaining('use the id'),
  });
  expect(await failure(templates.create({ name: 'A', subject: 'Hi', html: '<p>Hi</p>' }))).toMatchObject({
    statusCode: 422,
    name: 'missing_required_field',
  });
  expect(await failure(templates.publish('tpl_none'))).toMatchObject(NOT_FOUND);
});

test('broadcasts are campaigns: drafted, changed, scheduled, cancelled, duplicated and deleted', async () => {
  const { broadcasts, segments } = client();
  const { id: segmentId } = await good(segments.create({ name: 'Everybody' }));
  const given = {
    segmentId,
    from: 'Team <team@hello.test>',
    subject: 'News {{{contact.first_name|friend}}}',
    html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>',
  };
  const { id } = await good(broadcasts.create(given));
  expect(await good(broadcasts.get(id))).toMatchObject({
    object: 'broadcast',
    id,
    segment_id: segmentId,
    status: 'draft',
    subject: 'News {{firstName | "friend"}}',
    html: '<a href="{{unsubscribeUrl}}">x</a>',
    from: 'Team <team@hello.test>',
  });
  expect(await good(broadcasts.update(id, { name: 'Spring' }))).toEqual({ id });
  expect(await good(broadcasts.send(id, { scheduledAt: 'in 2 days' }))).toEqual({ id });
  const { status, scheduled_at: at, name } = await good(broadcasts.get(id));
  expect([status, name, Date.parse(at ?? '') > Date.now() + 47 * 3_600_000]).toEqual(['queued', 'Spring', true]);
  expect(await good(broadcasts.cancel(id))).toMatchObject({ id });
  expect((await good(broadcasts.get(id))).status).toBe('draft');
  const copy = await good(broadcasts.duplicate(id));
  expect((await good(broadcasts.list({ limit: 1 }))).data).toMatchObject([{ id: copy.id, status: 'draft' }]);
  expect(await good(broadcasts.remove(copy.id))).toMatchObject({ id: copy.id, deleted: true });
  const sent = await good(broadcasts.create({ ...given, send: true, scheduledAt: 'in 1 hour' }));
  expect((await good(broadcasts.get(sent.id))).status).toBe('queued');
  expect(await good(broadcasts.remove(sent.id))).toMatchObject({ id: sent.id, deleted: true });
  expect(await failure(broadcasts.create({ ...given, segmentId: 'seg_none' }))).toMatchObject({ name: expect.any(String) });
  expect(await failure(broadcasts.send(id, { scheduledAt: 'some day' }))).toMatchObject({
    message: expect.stringMatching(/^scheduled_at: /),
  });
});

test('domains', async () => {
  const { domains } = client();
  const made = await good(domains.create({ name: 'mail.customer.test' }));
  expect(made).toMatchObject({ name: 'mail.customer.test', status: 'pending' });
  expect(made.records).toContainEqual(expect.objectContaining({ record: 'DKIM', type: 'TXT', ttl: 'Auto', name: expect.any(String) }));
  expect(await good(domains.get(made.id))).toMatchObject({ object: 'domain', id: made.id });
  expect((await good(domains.list({ limit: 1 }))).data).toMatchObject([{ id: made.id, name: 'mail.customer.test' }]);
  expect(await good(domains.verify(made.id))).toEqual({ object: 'domain', id: made.id });
  expect(await good(domains.update({ id: made.id }))).toEqual({ object: 'domain', id: made.id });
  expect(await failure(domains.update({ id: made.id, openTracking: true }))).toMatchObject({
    ...INVALID,
    message: expect.stringContaining('/v1/settings'),
  });
  expect(await failure(domains.claims.get(made.id))).toMatchObject(NOT_FOUND);
  expect(await good(domains.remove(made.id))).toEqual({ object: 'domain', id: made.id, deleted: true });
});

test('keys: a new one sends, is in the list, and is refused once it is removed; the audit has both', async () => {
  const { apiKeys } = client();
  const { id, token } = await good(apiKeys.create({ name: 'App', permission: 'sending_access' }));
  const own = new Resend(token, { baseUrl: `${app.url}/compat/resend` });
  const message = { from: 'a@hello.test', to: 'x@example.com', subject: 'Hi', text: 'Hi' };
  await good(own.emails.send(message));
  expect((await good(apiKeys.list({ limit: 100 }))).data.map((key) => key.id)).toContain(id);
  expect(await good(apiKeys.remove(id))).toMatchObject({ id, deleted: true });
  expect((await good(apiKeys.list({ limit: 100 }))).data.map((key) => key.id)).not.toContain(id);
  expect(await failure(own.emails.send(message))).toMatchObject({ statusCode: 403, name: 'invalid_api_key' });
  expect(await stored.audit.distinct('action', { action: /^key\./ })).toEqual(['key.create', 'key.revoke']);
  expect(await failure(apiKeys.create({ name: 'App', permission: 'none' as never }))).toMatchObject(INVALID);
});

test('a list from one of its rows, in both directions', async () => {
  const { segments } = client();
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await good(segments.create({ name }));
  const ids = (await good(segments.list())).data.map(({ id }) => id);
  const slice = async (options: Parameters<typeof segments.list>[0]) => {
    const { has_more: more, data } = await good(segments.list(options));
    return [more, data.map(({ id }) => id)];
  };
  expect(await slice({ limit: 2 })).toEqual([true, ids.slice(0, 2)]);
  expect(await slice({ limit: ids.length })).toEqual([false, ids]);
  expect(await slice({ limit: 2, after: ids[1] ?? '' })).toEqual([true, ids.slice(2, 4)]);
  expect(await slice({ limit: 2, after: ids.at(-3) ?? '' })).toEqual([false, ids.slice(-2)]);
  expect(await slice({ limit: 2, before: ids[3] ?? '' })).toEqual([true, ids.slice(1, 3)]);
  expect(await slice({ limit: 2, before: ids[2] ?? '' })).toEqual([false, ids.slice(0, 2)]);
  expect(await failure(segments.list({ after: 'seg_none' }))).toMatchObject({ statusCode: 404, name: 'not_found' });
});

test('suppressions', async () => {
  const { suppressions } = client();
  const { id } = await good(suppressions.add({ email: 'gone@example.com' }));
  expect(await good(suppressions.get('gone@example.com'))).toMatchObject({
    object: 'suppression',
    id,
    email: 'gone@example.com',
    origin: 'manual',
  });
  expect((await good(suppressions.batch.add({ emails: ['a@example.com', 'b@example.com'] }))).data).toHaveLength(2);
  const list = await good(suppressions.list({ origin: 'manual', limit: 2 }));
  expect([list.has_more, list.data.length]).toEqual([true, 2]);
  expect((await good(suppressions.list({ origin: 'manual', after: list.data[1]?.id ?? '' }))).data).toHaveLength(1);
  expect((await good(suppressions.list({ origin: 'bounce' }))).data).toEqual([]);
  expect((await good(suppressions.batch.remove({ emails: ['a@example.com', 'b@example.com'] }))).data).toMatchObject([
    { deleted: true },
    { deleted: true },
  ]);
  expect(await good(suppressions.remove(id))).toMatchObject({ id, deleted: true });
  expect(await failure(suppressions.get(id))).toMatchObject(NOT_FOUND);
});

test('received mail', async () => {
  const { receiving } = client().emails;
  const { body } = await app
    .api()
    .post('/v1/inbound')
    .send({ from: 'ada@example.com', to: 'help@hello.test', subject: 'Help', text: 'Please' })
    .expect(201);
  const id = body.data.emailId as string;
  expect((await good(receiving.list())).data).toMatchObject([{ id, from: 'ada@example.com', to: ['help@hello.test'], subject: 'Help' }]);
  expect(await good(receiving.get(id))).toMatchObject({ object: 'email', id, text: 'Please', raw: null, attachments: [] });
  expect((await good(receiving.attachments.list({ emailId: id }))).data).toEqual([]);
  expect(await failure(receiving.attachments.get({ emailId: id, id: '0' }))).toMatchObject(NOT_FOUND);
  expect(await failure(client().emails.get(id))).toMatchObject(NOT_FOUND);
});

test('events start workflows; they are not declared', async () => {
  expect(await good(client().events.send({ event: 'order.placed', email: 'ada@example.com', payload: { total: 42 } }))).toEqual({
    object: 'event',
    event: 'order.placed',
  });
  const { body } = await app.api().get('/v1/events?name=order.placed').expect(200);
  expect(body.data).toMatchObject([{ name: 'order.placed', data: { total: 42 } }]);
  expect(await failure(client().events.create({ name: 'order.placed' }))).toMatchObject({
    ...NOT_FOUND,
    message: expect.stringContaining('not declared'),
  });
});
