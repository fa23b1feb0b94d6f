import mongoose from 'mongoose';
import { fanOutShardOf } from '../../../../src/contracts/fan-out';
import { wakeFanOutThrough } from '../../../../src/composition/compose';
import { listenTo } from '../../../../src/records/events/listeners';
import type { Automation } from '../../../../src/marketing/automations/model';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { freshAddress } from '../../../support/data/people';

const app = aProject();
let count = 0;

beforeAll(async () => {
  wakeFanOutThrough(app.core);
});

const api = (key?: string) => app.api(key);
const freshName = (): string => `thing.done-${++count}`;
const ingest = (body: object, key?: string) => api(key).post('/v1/events').send(body);
const contact = (contactId: string) => stored.contacts.one(contactId);
const namesOf = async (contactId: string): Promise<string[]> =>
  (await stored.events.all({ contactId }, { _id: 1 })).map(({ name }) => name);
const upsert = async (email: string): Promise<string> => (await api().post('/v1/contacts').send({ email })).body.data.contactId as string;

describe('record an event', () => {
  test('answers it whole with 201, and keeps it as it was given', async () => {
    const email = freshAddress();
    const contactId = await upsert(email);
    const data = { plan: 'pro', nested: { list: [1, { a: null }] }, 'dotted.key': true };
    const { body } = await ingest({ name: 'order.placed', email: email.toUpperCase(), data }).expect(201);
    expect(body).toEqual({
      success: true,
      data: { eventId: expect.stringMatching(/^evt_[0-9a-z]{26}$/), contactId, triggered: [], skipped: [] },
    });
    const row = await stored.events.one(body.data.eventId as string);
    expect(row).toMatchObject({
      projectId: app.keys.projectId,
      name: 'order.placed',
      contactId,
      emailId: null,
      data,
      testMode: false,
      depth: 0,
    });
    expect(Math.abs((row?.createdAt.getTime() ?? 0) - (row?.receivedAt.getTime() ?? 0))).toBeLessThan(2_000);
    expect(await namesOf(contactId)).toEqual(['contact.created', 'order.placed']);
  });

  test('goes by the contact id as well, and has null data when none is given', async () => {
    const contactId = await upsert(freshAddress());
    for (const data of [undefined, null]) {
      const { body } = await ingest({ name: 'by.id', contactId, data }).expect(201);
      expect(body.data.contactId).toBe(contactId);
      expect(await stored.events.one(body.data.eventId as string)).toMatchObject({ contactId, data: null });
    }
  });

  test('makes an unknown contact, subscribed, and emits contact.created first', async () => {
    const { body } = await ingest({ name: 'signed-up', email: freshAddress() }).expect(201);
    expect(await contact(body.data.contactId as string)).toMatchObject({ subscribed: true, optedOutAt: null, firstName: null, data: null });
    expect(await namesOf(body.data.contactId as string)).toEqual(['contact.created', 'signed-up']);
    const [created] = await stored.events.all({ contactId: body.data.contactId, name: 'contact.created' });
    expect(created?.data).toEqual({ source: 'event' });
  });

  test('makes someone who opted out before as a contact that is protected', async () => {
    const email = freshAddress();
    await api().post('/v1/suppressions').send({ email, reason: 'unsubscribe' }).expect(201);
    const { body } = await ingest({ name: 'signed-up', email }).expect(201);
    expect(await contact(body.data.contactId as string)).toMatchObject({ subscribed: false, optedOutAt: expect.any(Date) });
  });

  test('makes no contact with createContact false: it has none, or the existing one', async () => {
    const email = freshAddress();
    const { body } = await ingest({ name: 'seen', email, createContact: false }).expect(201);
    expect(body.data.contactId).toBeNull();
    expect(await stored.events.one(body.data.eventId as string)).toMatchObject({ contactId: null });
    expect(await stored.contacts.count({ email })).toBe(0);
    const contactId = await upsert(email);
    expect((await ingest({ name: 'seen', email, createContact: false }).expect(201)).body.data.contactId).toBe(contactId);
  });

  test('makes one contact of 40 events of one address at once, and loses none of them', async () => {
    const email = freshAddress();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ingest({ name: 'burst', email, data: { n } })));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    const [contactId, ...others] = new Set(answers.map(({ body }) => body.data.contactId as string));
    expect(others).toEqual([]);
    const names = await namesOf(contactId as string);
    expect(names.filter((name) => name === 'contact.created')).toHaveLength(1);
    expect(names.filter((name) => name === 'burst')).toHaveLength(40);
  });

  test('stores events of many new people in few transactions, each answered by itself and for its own key', async () => {
    const commits = jest.spyOn(mongoose.mongo.ClientSession.prototype, 'commitTransaction');
    const people = Array.from({ length: 40 }, (_, n) => ({ email: freshAddress(), key: n % 2 ? `of-many-${n}` : undefined }));
    const post = ({ email, key }: (typeof people)[number], name = 'came') =>
      key ? ingest({ name, email }).set('Idempotency-Key', key) : ingest({ name, email });
    const answers = await Promise.all(people.map((person) => post(person)));
    expect(commits.mock.calls.length).toBeLessThan(20);
    commits.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
    const rows = await Promise.all(answers.map(({ body }) => stored.events.one(body.data.eventId as string)));
    const contacts = await Promise.all(people.map(({ email }) => stored.contacts.one({ email })));
    expect(rows.map((row) => row?.contactId)).toEqual(contacts.map((row) => row?._id));

    const keyed = people.filter(({ key }) => key);
    const again = await Promise.all(keyed.map((person, n) => post(person, n === 0 ? 'went' : 'came')));
    expect(again.map(({ status }) => status)).toEqual([409, ...Array(19).fill(201)]);
    const first = answers.filter((_answer, n) => keyed.includes(people[n] as (typeof people)[number]));
    expect(again.slice(1).map(({ body }) => body.data.eventId)).toEqual(first.slice(1).map(({ body }) => body.data.eventId));
  });

  test('takes occurredAt as its instant; the time of receipt stays ours', async () => {
    const contactId = await upsert(freshAddress());
    const past = '2020-02-29T12:00:00.123+01:00';
    const { body } = await ingest({ name: 'late.news', contactId, occurredAt: past }).expect(201);
    const row = await stored.events.one(body.data.eventId as string);
    expect(row?.createdAt.toISOString()).toBe('2020-02-29T11:00:00.123Z');
    expect(row?.receivedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
    await ingest({ name: 'soon', contactId, occurredAt: new Date(Date.now() + 4 * 60_000).toISOString() }).expect(201);
    const { body: refused } = await ingest({ name: 'soon', contactId, occurredAt: new Date(Date.now() + 6 * 60_000).toISOString() }).expect(
      422,
    );
    expect(refused.details).toEqual([expect.objectContaining({ path: 'occurredAt', code: 'invalid_date' })]);
  });

  test('in test mode says so in its data, and so does the contact that it makes', async () => {
    const { body } = await ingest({ name: 'tried', email: freshAddress(), data: { a: 1, testMode: false } }, app.keys.test).expect(201);
    expect(await stored.events.one(body.data.eventId as string)).toMatchObject({ testMode: true, data: { a: 1, testMode: true } });
    expect((await stored.events.all({ contactId: body.data.contactId })).every(({ data }) => data?.['testMode'] === true)).toBe(true);
  });

  test.each<[object, string, string]>([
    [{ email: 'a@example.com' }, 'name', 'invalid_type'],
    [{ name: 'a b', email: 'a@example.com' }, 'name', 'invalid_string'],
    [{ name: 'x'.repeat(129), email: 'a@example.com' }, 'name', 'invalid_string'],
    [{ name: 'email.sent', email: 'a@example.com' }, 'name', 'reserved_name'],
    [{ name: 'contact.mine', email: 'a@example.com' }, 'name', 'reserved_name'],
    [{ name: 'segment.x', email: 'a@example.com' }, 'name', 'reserved_name'],
    [{ name: 'workflow.x', email: 'a@example.com' }, 'name', 'reserved_name'],
    [{ name: 'a b' }, 'email', 'invalid_combination'],
    [{}, 'name', 'invalid_type'],
    [{}, 'email', 'invalid_combination'],
    [{ name: 'ok', email: 'a@example.com', contactId: 'ctc_a' }, 'email', 'invalid_combination'],
    [{ name: 'ok', contactId: 'ctc_unknown' }, 'contactId', 'not_found'],
    [{ name: 'ok', contactId: { $gt: '' } }, 'contactId', 'invalid_type'],
    [{ name: 'ok', email: 'none' }, 'email', 'invalid_string'],
    [{ name: 'ok', email: 'a@example.com', data: [] }, 'data', 'invalid_type'],
    [{ name: 'ok', email: 'a@example.com', data: { $set: 1 } }, 'data.$set', 'reserved_name'],
    [{ name: 'ok', email: 'a@example.com', data: { a: 'x'.repeat(32_768) } }, 'data', 'too_big'],
    [{ name: 'ok', email: 'a@example.com', createContact: 'no' }, 'createContact', 'invalid_type'],
    [{ name: 'ok', email: 'a@example.com', occurredAt: '2026-01-01' }, 'occurredAt', 'invalid_string'],
    [{ name: 'ok', email: 'a@example.com', projectId: 'x' }, 'projectId', 'unrecognized_keys'],
  ])('refuses %j', async (given, path, code) => {
    const { body } = await ingest(given).expect(422);
    expect(body).toMatchObject({ success: false, code: 'validation_error' });
    expect(body.details).toContainEqual(expect.objectContaining({ path, code }));
  });

  test("knows nothing of another project's contact", async () => {
    const contactId = await upsert(freshAddress());
    const { body } = await ingest({ name: 'ok', contactId }, app.otherKeys.secret).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'contactId', code: 'not_found' })]);
  });

  test('keeps hostile values as they are', async () => {
    const data = {
      html: '<script>',
      nul: 'a\u0000b',
      dots: { 'a.b': 1, '': 2 },
      big: 1e308,
      machine: true,
      list: [[]],
      text: '{{x}} $where',
    };
    const { body } = await ingest({ name: 'hostile', email: freshAddress(), data }).expect(201);
    const { body: list } = await api().get('/v1/events?name=hostile').expect(200);
    expect(list.data).toEqual([expect.objectContaining({ eventId: body.data.eventId, data })]);
  });
});

describe('what it starts', () => {
  const REST = { reentry: 'always', createdAt: new Date(), revision: 1 } as const;
  const insert = (projectId: string, trigger: string, rows: Readonly<Record<string, Automation['status']>>) =>
    stored.automations.make(
      Object.entries(rows).map(([_id, status]) => ({
        _id,
        projectId,
        name: `Name of ${_id}`,
        status,
        trigger,
        ...REST,
      })),
    );

  test('answers which automations are dispatched and which cannot run', async () => {
    const name = freshName();
    const trigger = `event:${name}`;
    await insert(app.keys.projectId, trigger, { aut_a: 'active', aut_b: 'paused', aut_c: 'draft', aut_d: 'active' });
    await insert(app.keys.projectId, `${trigger}x`, { aut_e: 'active' });
    await insert(app.otherKeys.projectId, trigger, { aut_f: 'active' });
    const { body } = await ingest({ name, email: freshAddress() }).expect(201);
    const automationIs = (workflowId: string, more: object) => ({ workflowId, name: `Name of ${workflowId}`, trigger, ...more });
    expect(body.data).toMatchObject({
      triggered: [automationIs('aut_a', { status: 'dispatched' }), automationIs('aut_d', { status: 'dispatched' })],
      skipped: [automationIs('aut_b', { reason: 'workflow_paused' }), automationIs('aut_c', { reason: 'workflow_draft' })],
    });
    await stored.automations.change('aut_b', { status: 'active' });
    expect((await ingest({ name, email: freshAddress() })).body.data.triggered).toHaveLength(3);
  });

  test('asks for them along the index of their room, and inserts once', async () => {
    const contactId = await upsert(freshAddress());
    const plans = await queryPlans('automations', () => ingest({ name: freshName(), contactId }).expect(201));
    expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN/), sorted: expect.any(Boolean) }]);
    const looked = await queryPlans('contacts', () => ingest({ name: freshName(), contactId }).expect(201));
    expect(looked).toEqual([{ plan: expect.stringMatching(/^(IXSCAN|IDHACK)/), sorted: false }]);
  });

  test('waits for the fan-out and wakes it when somebody listens to its name, and only then', async () => {
    const name = freshName();
    const contactId = await upsert(freshAddress());
    const unheard = await stored.events.one((await ingest({ name, contactId }).expect(201)).body.data.eventId as string);
    expect(unheard).not.toHaveProperty('fanOut');
    await inTransaction((session) => listenTo(session, app.keys.projectId, 'webhook/one', [name]));
    app.processes.wakeFanOut.mockClear();
    const heard = await stored.events.one(
      (await ingest({ name, contactId, data: { machine: true } }).expect(201)).body.data.eventId as string,
    );
    const shard = fanOutShardOf(contactId, app.keys.projectId);
    expect(heard).toMatchObject({ fanOut: shard, fanOutAt: heard?.receivedAt });
    await eventually('the pump is woken', () => app.processes.wakeFanOut.mock.calls.some(([woken]) => woken === shard));
  });
});

describe('Idempotency-Key', () => {
  const withKey = (key: string, body: object, apiKey?: string) => ingest(body, apiKey).set('Idempotency-Key', key);

  test('is answered again without another event, marked as such', async () => {
    const body = { name: freshName(), email: freshAddress(), data: { a: 1, b: 2 } };
    const first = await withKey('once', body).expect(201);
    expect(first.headers['x-idempotent-replay']).toBeUndefined();
    expect(first.body.data).not.toHaveProperty('replay');
    const second = await withKey('once', { data: { b: 2, a: 1 }, email: body.email, name: body.name }).expect(201);
    expect(second.headers['x-idempotent-replay']).toBe('true');
    expect(second.body.data).toEqual({ ...first.body.data, replay: true });
    expect(await stored.events.count({ name: body.name })).toBe(1);
  });

  test('of 50 identical requests at once stores one event, for new contacts and known ones', async () => {
    const known = freshAddress();
    await upsert(known);
    for (const email of [known, freshAddress()]) {
      const body = { name: freshName(), email };
      const answers = await Promise.all(Array.from({ length: 50 }, () => withKey(`many ${email}`, body)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body: { data } }) => data.eventId as string)).size).toBe(1);
      expect(answers.filter(({ body: { data } }) => data.replay === undefined)).toHaveLength(1);
      expect(await stored.events.count({ name: body.name })).toBe(1);
    }
  });

  test('is refused with another body, and is of its project, kind of key and endpoint', async () => {
    const body = { name: freshName(), email: freshAddress() };
    await withKey('scoped', body).expect(201);
    const { body: refused } = await withKey('scoped', { ...body, data: {} }).expect(409);
    expect(refused).toMatchObject({ success: false, code: 'idempotency_key_reused' });
    for (const key of [app.keys.test, app.keys.public, app.otherKeys.secret]) {
      expect((await withKey('scoped', body, key).expect(201)).body.data).not.toHaveProperty('replay');
    }
    const send = api().post('/v1/send').set('Idempotency-Key', 'scoped');
    expect((await send.send({ to: body.email, from: 'a@hello.test', subject: 'x', text: 'x' })).body.code).not.toMatch(/^idempotency/);
  });

  test('keeps no refusal, and has to be well formed', async () => {
    await withKey('refused', { name: 'ok', contactId: 'ctc_unknown' }).expect(422);
    await withKey('refused', { name: freshName(), email: freshAddress() }).expect(201);
    for (const key of ['x'.repeat(256), 'tab\there']) {
      const { body } = await withKey(key, { name: 'ok', email: freshAddress() }).expect(422);
      expect(body.details).toEqual([expect.objectContaining({ path: 'Idempotency-Key', code: 'invalid_string' })]);
    }
  });
});
