import { estimateValues } from '../../../../src/audience/contacts/field-values';
import { countFields } from '../../../../src/audience/contacts/fields';
import { recountFields } from '../../../../src/audience/contacts/recount';
import type { Context } from '../../../../src/platform/core/context';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { getProject } from '../../../../src/records/projects/service';
import { largestAnswer } from '../../../support/checks/query-plans';
import { chain, send as sendNode } from '../../../support/calls/automations';
import { aProject } from '../../../support/platform/app';
import { contactCalls } from './calls';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';
import { freshAddress } from '../../../support/data/people';

const app = aProject();
const keys = aFreshProject('Fields');

const calls = contactCalls(() => ({ ...app, keys, api: (key = keys.secret) => app.api(key) }));
const { api, get } = calls;
const add = (data: object, email = freshAddress()) => calls.upsert(email, { data });
const fields = async () =>
  (await api().get('/v1/contacts/fields').expect(200)).body.data.data as { field: string; type: string; count: number }[];
const values = async (field: string, query: object = {}) =>
  (await api().get(`/v1/contacts/fields/${field}/values`).query(query).expect(200)).body.data as {
    field: string;
    data: { value: unknown; count: number }[];
  };

describe('values', () => {
  test('come most frequent first, of any type', async () => {
    for (const plan of ['pro', 'pro', 'pro', 'Pro', 'free', 'free', 5, true, ['x', 'y'], { a: 1 }]) await add({ plan });
    const { field, data } = await values('plan');
    expect(field).toBe('plan');
    expect(data.slice(0, 2)).toEqual([
      { value: 'pro', count: 3 },
      { value: 'free', count: 2 },
    ]);
    expect(data.slice(2)).toEqual(expect.arrayContaining([5, true, 'Pro', ['x', 'y'], { a: 1 }].map((value) => ({ value, count: 1 }))));
    expect((await values('plan', { limit: 1 })).data).toEqual([{ value: 'pro', count: 3 }]);
    expect(await values('nothing')).toEqual({ field: 'nothing', data: [] });
  });

  test('are searched by a part of their text, which is no pattern', async () => {
    for (const v of ['a.b', 'axb', 'A.B.C', '$literal', 1250, true, ['red', 'a.bc'], { text: 'a.b' }, '(']) await add({ v });
    const found = async (search: string) => (await values('v', { search })).data.map(({ value }) => value);
    expect(new Set(await found('a.b'))).toEqual(new Set(['a.b', 'A.B.C', ['red', 'a.bc']]));
    expect(await found('$lit')).toEqual(['$literal']);
    expect(await found('25')).toEqual([1250]);
    expect(await found('TRUE')).toEqual([true]);
    expect(await found('(')).toEqual(['(']);
    expect(await found('.*')).toEqual([]);
    expect(await found('a\u0000')).toEqual([]);
  });

  test('are estimated from a sample where counting all takes too long', async () => {
    for (const plan of ['pro', 'pro', 'free']) await add({ plan });
    const project = await getProject(keys.projectId);
    const ctx: Context = { core: app.core, projectId: project._id, project, testMode: false, keyKind: 'secret', requestId: 'r' };
    expect(await estimateValues(ctx, { field: 'plan', limit: 5 })).toEqual([
      { value: 'pro', count: 2 },
      { value: 'free', count: 1 },
    ]);
    await inTransaction((session) => countFields(session, project._id, [{ field: 'plan', type: 'string', by: 27 }]));
    expect(await estimateValues(ctx, { field: 'plan', limit: 1, search: 'PR' })).toEqual([{ value: 'pro', count: 20 }]);
    expect(await estimateValues(ctx, { field: 'none', limit: 1 })).toEqual([]);
  });

  test('refuse what is no field name', async () => {
    for (const field of ['a.b', '%24where', '1a', 'x'.repeat(65), 'a%00', '__proto__.x']) {
      const { body } = await api().get(`/v1/contacts/fields/${field}/values`).expect(422);
      expect(body.details).toEqual([expect.objectContaining({ path: 'field' })]);
      await api().get(`/v1/contacts/fields/${field}/usage`).expect(422);
      await api().delete(`/v1/contacts/fields/${field}`).expect(422);
    }
    for (const field of ['__proto__', 'constructor', '_id']) expect(await values(field)).toEqual({ field, data: [] });
    await api().get('/v1/contacts/fields/plan/values?limit=101').expect(422);
  });
});

test('usage counts contacts and names the templates that read the field', async () => {
  await add({ plan: 'pro' });
  await add({ plan: 'free', planet: 'X' });
  const template = async (name: string, subject: string, body: string): Promise<string> => {
    const answer = await api().post('/v1/templates').send({ name, subject, body, fromEmail: 'a@hello.test' }).expect(201);
    return answer.body.data.templateId as string;
  };
  const inBody = await template('Body', 'Hello', '<p>{{data.plan | "none"}}</p>');
  const inSubject = await template('Subject', 'You have {{uppercase data.plan}}', '<p>Hi</p>');
  const whole = await template('Whole', 'Hello', '{{#with data}}{{plan}}{{/with}}');
  await template('Other', 'The plan', '<p>plan {{plan}} {{data.planet}} {{data.other}}</p>');
  const { body } = await api().get('/v1/contacts/fields/plan/usage').expect(200);
  expect(body.data).toEqual({
    field: 'plan',
    contacts: 2,
    segments: [],
    campaigns: [],
    workflows: [],
    templates: [
      { templateId: whole, name: 'Whole' },
      { templateId: inSubject, name: 'Subject' },
      { templateId: inBody, name: 'Body' },
    ],
  });
});

test('usage reads few of the large contents at a time', async () => {
  const large = `<p>{{data.plan}}</p>${'x '.repeat(200_000)}`;
  const make = async (path: string, index: number, content: object): Promise<unknown> =>
    api()
      .post(path)
      .send({ name: `N${index}`, ...content })
      .expect(201);
  const mail = { subject: 'S', body: large, fromEmail: 'a@hello.test' };
  for (let index = 0; index < 4; index++) {
    await make('/v1/templates', index, mail);
    await make('/v1/campaigns', index, mail);
    await make('/v1/workflows', index, { trigger: 'event:signup', graph: chain(sendNode('mail', mail)) });
  }
  const names = [3, 2, 1, 0].map((index) => expect.objectContaining({ name: `N${index}` }) as object);
  for (const collection of ['templates', 'campaigns', 'automations']) {
    let body: { data?: object } = {};
    const bytes = await largestAnswer(collection, async () => {
      ({ body } = await api().get('/v1/contacts/fields/plan/usage').expect(200));
    });
    expect(body.data).toMatchObject({ campaigns: names, workflows: names, templates: names });
    expect(bytes).toBeGreaterThan(large.length);
    expect(bytes).toBeLessThan(3 * large.length);
  }
});

describe('removal', () => {
  test('takes the field from every contact, moves their instant, and emits it', async () => {
    const [first, second, third] = [await add({ plan: 'pro', kept: 1 }), await add({ plan: 5 }), await add({ kept: 2 })];
    expect((await api().delete('/v1/contacts/fields/plan').expect(200)).body).toEqual({
      success: true,
      data: { field: 'plan', removed: 2 },
    });
    const after = await get(first.contactId);
    expect(after.data).toEqual({ kept: 1 });
    expect(after.updatedAt > first.updatedAt).toBe(true);
    expect((await get(second.contactId)).data).toEqual({});
    expect(await get(third.contactId)).toEqual(third);
    expect((await calls.emitted(first.contactId)).at(-1)).toEqual({
      name: 'contact.updated',
      data: { source: 'api', changed: ['data.plan'] },
      testMode: false,
    });
    expect(await calls.emitted(third.contactId)).toHaveLength(1);
    expect(await fields()).toEqual([{ field: 'kept', type: 'number', count: 2 }]);
    expect((await api().delete('/v1/contacts/fields/plan').expect(200)).body.data).toEqual({ field: 'plan', removed: 0 });
  });

  test('goes through more contacts than one transaction takes', async () => {
    const at = new Date();
    const { projectId } = keys;
    const rows = Array.from({ length: 1_203 }, (_, index) => ({
      _id: `ctc_${projectId}${index}`,
      projectId,
      email: `r${index}@example.com`,
      data: { plan: 'x' },
      subscribed: true,
      createdAt: at,
      updatedAt: at,
    }));
    await stored.contacts.collection.insertMany(rows);
    await recountFields(projectId);
    const answers = await Promise.all([1, 2].map(() => api().delete('/v1/contacts/fields/plan').expect(200)));
    expect(answers.reduce((sum, { body }) => sum + (body.data.removed as number), 0)).toBe(1_203);
    expect(await stored.contacts.count({ projectId, 'data.plan': { $exists: true } })).toBe(0);
    expect(await stored.events.count({ projectId, name: 'contact.updated' })).toBe(1_203);
    expect(await fields()).toEqual([]);
  });
});
