import mongoose from 'mongoose';
import type { Event } from '../../../../src/records/events/model';
import { tallyEvents } from '../../../../src/records/events/tally';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const app = aProject();
let count = 0;

const api = (key?: string) => app.api(key);
const freshName = (): string => `thing.${++count}`;

/** Rows as they are stored; `ago` is how long they have been received. */
function row(
  name: string,
  { projectId = app.keys.projectId, createdAt = new Date(), ago = 0, contactId = null as string | null } = {},
): Event {
  const receivedAt = new Date(Date.now() - ago);
  return { _id: newId('evt'), projectId, contactId, emailId: null, name, data: null, testMode: false, createdAt, receivedAt, depth: 0 };
}
const insert = (rows: readonly Event[]) => stored.events.collection.insertMany(rows);

describe('names', () => {
  interface Name {
    readonly name: string;
    readonly count: number;
    readonly lastSeenAt: string;
    readonly system: boolean;
  }
  const names = async (key?: string): Promise<readonly Name[]> =>
    (await api(key).get('/v1/events/names').expect(200)).body.data.data as Name[];
  const ofName = async (name: string): Promise<Name | undefined> => (await names()).find((each) => each.name === name);
  const usage = async (name: string): Promise<number> =>
    (
      await api()
        .get(`/v1/events/${encodeURIComponent(name)}/usage`)
        .expect(200)
    ).body.data.count as number;

  test('that were last seen at the same instant are in the order of their names', async () => {
    const at = new Date(Date.now() - DAY_MS);
    await insert([...['tie.c', 'tie.a', 'tie.b'].map((name) => row(name, { createdAt: at })), row('tie.later')]);
    const ties = (await names()).flatMap(({ name }) => (name.startsWith('tie.') ? [name] : []));
    expect(ties).toEqual(['tie.later', 'tie.a', 'tie.b', 'tie.c']);
  });

  test('are counted exactly, before, while and after they are tallied, last seen first', async () => {
    const [old, both, young] = [freshName(), freshName(), freshName()];
    const at = (ms: number): Date => new Date(Date.now() + ms);
    await insert([
      ...Array.from({ length: 3 }, (_, n) => row(old, { ago: HOUR_MS + n, createdAt: at(-HOUR_MS) })),
      ...Array.from({ length: 4 }, () => row(both, { ago: 2 * HOUR_MS, createdAt: at(20_000) })),
      row(both),
      row(young, { createdAt: at(30_000) }),
      row('contact.created'),
    ]);
    const expected = { [old]: 3, [both]: 5, [young]: 1 };
    const check = async (): Promise<void> => {
      const all = await names();
      const mine = all.filter(({ name }) => name in expected);
      expect(mine.map(({ name }) => name)).toEqual([young, both, old]);
      expect(Object.fromEntries(mine.map((each) => [each.name, each.count]))).toEqual(expected);
      expect(Object.fromEntries(await Promise.all(Object.keys(expected).map(async (name) => [name, await usage(name)] as const)))).toEqual(
        expected,
      );
      expect(all.find(({ name }) => name === 'contact.created')?.system).toBe(true);
      expect(mine.every(({ system }) => !system)).toBe(true);
    };
    await check();
    const [counted] = await Promise.all([tallyEvents(), tallyEvents(), check(), check()]);
    expect(counted).toBeGreaterThanOrEqual(0);
    await check();
    expect((await stored.nameTallies.one({ name: both }))?.count).toBe(4);
    expect(await tallyEvents()).toBe(0);
  });

  test('are tallied once, in pages, of all projects', async () => {
    const name = freshName();
    await stored.tallyMarks.remove();
    await stored.nameTallies.remove();
    await insert(
      Array.from({ length: 12_000 }, (_, n) => row(name, { ago: DAY_MS - n, ...(n % 2 && { projectId: app.otherKeys.projectId }) })),
    );
    const total = await stored.events.count({ receivedAt: { $lte: new Date(Date.now() - 90_000) } });
    const tallied = await Promise.all([tallyEvents(), tallyEvents(), tallyEvents()]);
    expect(tallied.reduce((sum, each) => sum + each, 0)).toBe(total);
    expect((await ofName(name))?.count).toBe(6_000);
    expect((await names(app.otherKeys.secret)).find((each) => each.name === name)?.count).toBe(6_000);
  });

  test('are tallied in pages also where rows of messages hold them, and no event has a row of its own', async () => {
    const count = 25_000;
    const { projectId } = app.keys;
    await Promise.all([stored.tallyMarks.remove(), stored.nameTallies.remove(), stored.events.remove(), stored.emails.remove()]);
    const began = Date.now() - HOUR_MS;
    const happened = (n: number) => ({ createdAt: new Date(began + n), sentAt: new Date(began + n + 1) });
    const mail = {
      shard: 0,
      status: 'sent',
      source: 'transactional',
      type: 'transactional',
      fromEmail: 'a@hello.test',
      messageId: '<1@a>',
    };
    const row = { ...mail, projectId, holdsQueued: 'at_once', holds: 'sent' };
    await stored.emails.collection.insertMany(
      Array.from({ length: count }, (_, n) => ({ ...row, _id: newId('em') as never, ...happened(n) })),
    );
    expect(await usage('email.sent')).toBe(count);
    const marks = jest.spyOn(stored.tallyMarks.collection, 'updateOne');
    const tallied = await tallyEvents();
    const pages = marks.mock.calls.length;
    marks.mockRestore();
    expect(tallied).toBe(2 * count);
    expect(await usage('email.queued')).toBe(count);
    expect(pages).toBeGreaterThan(2);
    expect((await stored.nameTallies.one({ name: 'email.sent' }))?.count).toBe(count);
    expect(await usage('email.sent')).toBe(count);
    const hours = await stored.mailHours.all({ projectId });
    expect(hours.reduce((sum, { transactional }) => sum + (transactional?.sent ?? 0), 0)).toBe(count);
  });

  test('do not look at events that are tallied, and go along indexes', async () => {
    await tallyEvents();
    const plans = await queryPlans('events', async () => {
      await names();
      await usage('x');
    });
    expect(plans).toHaveLength(2);
    for (const { plan } of plans) expect(plan).toBe('IXSCAN { receivedAt: 1, projectId: 1, name: 1, createdAt: 1 }');
    expect(await queryPlans('event_names', names)).toEqual([{ plan: 'IXSCAN { projectId: 1, name: 1 }', sorted: false }]);
    await insert([row(freshName(), { ago: 91_000 })]);
    const tally = await queryPlans('events', tallyEvents);
    expect(tally.length).toBeGreaterThan(0);
    for (const { plan, sorted } of tally) {
      expect({ plan, sorted }).toEqual({ plan: 'IXSCAN { receivedAt: 1, projectId: 1, name: 1, createdAt: 1 }', sorted: false });
    }
  });
});

describe('usage and removal', () => {
  const automations = () => mongoose.connection.collection<{ _id: string; status: string }>('automations');
  const remove = (name: string, key?: string) => api(key).delete(`/v1/events/${encodeURIComponent(name)}`);

  test('show how often a name came and what refers to it', async () => {
    const name = `a/b:${freshName()}`;
    await insert([row(name), row(name), row(name, { projectId: app.otherKeys.projectId })]);
    const rest = { reentry: 'always', createdAt: new Date(), revision: 1 } as const;
    await stored.automations.make([
      { ...rest, _id: 'aut_usage', projectId: app.keys.projectId, name: 'Welcome', status: 'paused', trigger: `event:${name}` },
      { ...rest, _id: 'aut_other', projectId: app.otherKeys.projectId, name: 'Other', status: 'active', trigger: `event:${name}` },
    ]);
    const { body } = await api()
      .get(`/v1/events/${encodeURIComponent(name)}/usage`)
      .expect(200);
    expect(body.data).toEqual({ name, count: 2, workflows: [{ workflowId: 'aut_usage', name: 'Welcome' }], segments: [] });
    expect((await api().get('/v1/events/never.seen/usage').expect(200)).body.data).toEqual({
      name: 'never.seen',
      count: 0,
      workflows: [],
      segments: [],
    });
    expect((await api().get('/v1/events/contact.created/usage').expect(200)).body.data.name).toBe('contact.created');
    await api().get('/v1/events/a%20b/usage').expect(422);
  });

  test('all events of a name are removed, of one project, and are not counted any more', async () => {
    const [name, kept] = [freshName(), freshName()];
    await insert([
      ...Array.from({ length: 2_500 }, () => row(name, { ago: HOUR_MS })),
      ...Array.from({ length: 10 }, () => row(name)),
      row(kept),
      row(name, { projectId: app.otherKeys.projectId }),
    ]);
    await stored.tallyMarks.change('all', { upTo: new Date(Date.now() - 2 * HOUR_MS) });
    await tallyEvents();
    expect((await remove(name).expect(200)).body).toEqual({ success: true, data: { name, removed: 2_510 } });
    expect((await remove(name).expect(200)).body.data).toEqual({ name, removed: 0 });
    expect(await stored.events.count({ name })).toBe(1);
    expect(await stored.events.count({ name: kept })).toBe(1);
    const { data } = (await api().get('/v1/events/names').expect(200)).body.data as { data: { name: string }[] };
    expect(data.filter((each) => each.name === name)).toEqual([]);
    await insert([row(name)]);
    expect((await api().get(`/v1/events/${name}/usage`)).body.data.count).toBe(1);
  });

  test('removal and tally at once leave counts that are right', async () => {
    for (let round = 0; round < 5; round++) {
      const name = freshName();
      await stored.tallyMarks.change('all', { upTo: new Date(Date.now() - HOUR_MS) });
      await insert(Array.from({ length: 100 }, (_, n) => row(name, { ago: HOUR_MS - 1_000 - n })));
      const [first, second] = await Promise.all([remove(name), remove(name), tallyEvents(), tallyEvents()]);
      expect((first?.body.data.removed as number) + (second?.body.data.removed as number)).toBe(100);
      expect((await api().get(`/v1/events/${name}/usage`)).body.data.count).toBe(0);
      expect((await stored.nameTallies.one({ name }))?.count ?? 0).toBe(0);
    }
  });

  test("a system's name is refused, and one that a workflow has as its trigger, in any state", async () => {
    const { body } = await remove('contact.created').expect(422);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path: 'name', code: 'reserved_name' }] });
    const name = freshName();
    await insert([row(name)]);
    await automations().insertOne({
      _id: 'aut_delete',
      projectId: app.keys.projectId,
      name: 'W',
      status: 'draft',
      trigger: `event:${name}`,
    } as never);
    for (const status of ['draft', 'paused', 'active']) {
      await automations().updateOne({ _id: 'aut_delete' }, { $set: { status } });
      expect((await remove(name).expect(409)).body.code).toBe('in_use');
    }
    expect(await stored.events.count({ name })).toBe(1);
    expect((await remove(name, app.otherKeys.secret).expect(200)).body.data.removed).toBe(0);
    await automations().deleteOne({ _id: 'aut_delete' });
    expect((await remove(name).expect(200)).body.data.removed).toBe(1);
  });

  test('removal goes along indexes', async () => {
    const name = freshName();
    await insert([row(name)]);
    const plans = await queryPlans('events', () => remove(name).expect(200));
    expect(plans.length).toBeGreaterThanOrEqual(2);
    for (const { plan } of plans) expect(plan).toMatch(/IXSCAN/);
  });
});
