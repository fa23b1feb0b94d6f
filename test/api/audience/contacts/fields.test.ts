import { MockActivityEnvironment } from '@temporalio/testing';
import { createActivities } from '../../../../activities';
import { sumUpFields, countFields } from '../../../../src/audience/contacts/fields';
import { recountFields } from '../../../../src/audience/contacts/recount';
import { contactIdFor, createMissing } from '../../../../src/audience/contacts/service';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { getProject } from '../../../../src/records/projects/service';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';
import { freshAddress } from '../../../support/data/people';

const app = aProject();
const keys = aFreshProject('Fields');

const calls = contactCalls(() => ({ ...app, keys, api: (key = keys.secret) => app.api(key) }));
const { api } = calls;
const add = (data: object, email = freshAddress()) => calls.upsert(email, { data });
const fields = async () =>
  (await api().get('/v1/contacts/fields').expect(200)).body.data.data as { field: string; type: string; count: number }[];
const values = async (field: string, query: object = {}) =>
  (await api().get(`/v1/contacts/fields/${field}/values`).query(query).expect(200)).body.data as {
    field: string;
    data: { value: unknown; count: number }[];
  };

describe('discovery', () => {
  test('names each field with its type and count, as contacts come, change and go', async () => {
    expect((await api().get('/v1/contacts/fields').expect(200)).body).toEqual({ success: true, data: { data: [] } });
    const first = await add({ plan: 'pro', seats: 3, since: '2026-01-01', tags: ['a'], address: { city: 'X' }, vip: true });
    const second = await add({ plan: 7, seats: 0 });
    expect(await fields()).toEqual([
      { field: 'address', type: 'object', count: 1 },
      { field: 'plan', type: 'mixed', count: 2 },
      { field: 'seats', type: 'number', count: 2 },
      { field: 'since', type: 'date', count: 1 },
      { field: 'tags', type: 'array', count: 1 },
      { field: 'vip', type: 'boolean', count: 1 },
    ]);
    await calls.upsert(first.email, { data: { plan: 8, address: null, tags: 'none' } }, 200);
    expect(await fields()).toEqual([
      { field: 'plan', type: 'number', count: 2 },
      { field: 'seats', type: 'number', count: 2 },
      { field: 'since', type: 'date', count: 1 },
      { field: 'tags', type: 'string', count: 1 },
      { field: 'vip', type: 'boolean', count: 1 },
    ]);
    await api().delete(`/v1/contacts/${first.contactId}`).expect(200);
    expect(await fields()).toEqual([
      { field: 'plan', type: 'number', count: 1 },
      { field: 'seats', type: 'number', count: 1 },
    ]);
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'delete', emails: [second.email] })
      .expect(200);
    expect(await fields()).toEqual([]);
  });

  test('is exact however many writers count the same fields at once', async () => {
    const emails = Array.from({ length: 30 }, freshAddress);
    const { projectId } = keys;
    await Promise.all(emails.map((email, index) => add({ plan: 'a', n: index, [`own${index % 3}`]: true }, email)));
    const changing = emails.slice(0, 15).map((email) => calls.upsert(email, { data: { plan: 1, n: null } }, 200));
    const direct = Array.from({ length: 30 }, () =>
      inTransaction((session) => countFields(session, projectId, [{ field: 'plan', type: 'string', by: 1 }])),
    );
    const reading = Array.from({ length: 10 }, () => fields());
    await Promise.all([...changing, ...direct, sumUpFields(), sumUpFields(), sumUpFields()]);
    for (const seen of await Promise.all(reading)) {
      expect(seen.filter(({ field }) => field.startsWith('own')).map((each) => each.count)).toEqual([10, 10, 10]);
    }
    const exact = [
      { field: 'n', type: 'number', count: 15 },
      { field: 'own0', type: 'boolean', count: 10 },
      { field: 'own1', type: 'boolean', count: 10 },
      { field: 'own2', type: 'boolean', count: 10 },
      { field: 'plan', type: 'mixed', count: 60 },
    ];
    expect(await fields()).toEqual(exact);
    await sumUpFields();
    expect(await stored.fieldChanges.count({ projectId })).toBe(0);
    expect(await fields()).toEqual(exact);
  });

  test('is not touched by a change that fails', async () => {
    const { projectId } = keys;
    const failing = inTransaction(async (session) => {
      await countFields(session, projectId, [{ field: 'a', type: 'string', by: 1 }]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await fields()).toEqual([]);
  });

  test('counts nothing for contacts that sending makes', async () => {
    const project = await getProject(keys.projectId);
    const email = freshAddress();
    const contact = {
      _id: contactIdFor(project, email),
      projectId: project._id,
      email,
      firstName: 'A',
      lastName: null,
      subscribed: true,
    };
    // What comes later for the same person changes nothing.
    const wanted = [
      { contact, testMode: false },
      { contact: { ...contact, firstName: 'B', subscribed: false }, testMode: true },
    ];
    const events = await inTransaction((session) => createMissing(session, wanted, new Date()));
    expect(events).toEqual([expect.objectContaining({ name: 'contact.created', data: { source: 'send' }, testMode: false })]);
    expect(await stored.contacts.one(contact._id)).toMatchObject({ firstName: 'A', subscribed: true, optedOutAt: null, data: null });
    expect(await fields()).toEqual([]);
  });
});

describe('recount', () => {
  test('mends wrong counts of every type and says how many', async () => {
    const { projectId } = keys;
    await add({ s: 'x', d: '2026-01-01T10:00:00Z', nl: '2026-01-01\n', n: 1.5, b: false, a: [1], o: { x: 1 } });
    const right = await fields();
    expect(await recountFields(projectId)).toBe(0);
    await sumUpFields();
    await stored.fields.remove({ projectId, field: { $in: ['s', 'o'] } });
    await stored.fields.change({ projectId, field: 'n' }, { $inc: { number: 5, string: 2 } });
    await stored.fields.make({ _id: `${projectId}/ghost`, projectId, field: 'ghost', string: 3 });
    expect(await fields()).not.toEqual(right);
    expect(await recountFields(projectId)).toBe(5);
    expect(await fields()).toEqual(right);
    expect(await recountFields(projectId)).toBe(0);
    await sumUpFields();
    expect(await fields()).toEqual(right);
    expect(await stored.fields.count({ projectId, field: 'ghost' })).toBe(0);
    expect(right.map(({ field, type }) => [field, type])).toEqual([
      ['a', 'array'],
      ['b', 'boolean'],
      ['d', 'date'],
      ['n', 'number'],
      ['nl', 'string'],
      ['o', 'object'],
      ['s', 'string'],
    ]);
  });

  test('loses nothing that changes meanwhile, and of two at once one corrects', async () => {
    const { projectId } = keys;
    await Promise.all(Array.from({ length: 20 }, () => add({ plan: 'a' })));
    await sumUpFields();
    await stored.fields.change({ projectId, field: 'plan' }, { $inc: { string: 100 } });
    const writing = Array.from({ length: 60 }, () => add({ plan: 'b' }));
    const counting = [recountFields(projectId), sumUpFields(), recountFields(projectId), recountFields(projectId)];
    await Promise.all([...writing, ...counting]);
    expect(await fields()).toEqual([{ field: 'plan', type: 'string', count: 80 }]);
    expect(await recountFields(projectId)).toBe(0);
  });
});

test('the activities sum up, and recount all projects, going on where an earlier attempt was', async () => {
  const activities = createActivities({ core: app.core, delivery: null, fanOut: null, webhooks: null });
  await add({ plan: 'pro' });
  await activities.sweepContacts();
  expect(await stored.fieldChanges.count({ projectId: keys.projectId })).toBe(0);
  await stored.fields.change({ projectId: keys.projectId }, { $inc: { string: 5 } });
  await new MockActivityEnvironment({ heartbeatDetails: keys.projectId }).run(activities.recountContactFields);
  expect(await fields()).toEqual([{ field: 'plan', type: 'string', count: 6 }]);
  const beats: unknown[] = [];
  const environment = new MockActivityEnvironment();
  environment.on('heartbeat', (done) => beats.push(done));
  await environment.run(activities.recountContactFields);
  expect(await fields()).toEqual([{ field: 'plan', type: 'string', count: 1 }]);
  expect(beats.at(-1)).toBe(keys.projectId);
});

test('contact fields and their values are read along indexes', async () => {
  await add({ plan: 'x' });
  const work = async (): Promise<void> => {
    await fields();
    await values('plan');
    await api().get('/v1/contacts/fields/plan/usage').expect(200);
    await recountFields(keys.projectId);
    await sumUpFields();
    await api().delete('/v1/contacts/fields/plan').expect(200);
  };
  for (const collection of ['contacts', 'contact_fields', 'contact_field_changes', 'templates']) {
    const plans = await queryPlans(collection, work);
    expect(plans.length).toBeGreaterThan(0);
    for (const { plan } of plans) expect(plan).toMatch(/IXSCAN|IDHACK|DISTINCT_SCAN/);
  }
});
