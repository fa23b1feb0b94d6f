import { metrics } from '../../../../src/platform/metrics/metrics';
import { withReferenceLock, lockReferences } from '../../../../src/records/events/listeners';
import { createKey, revokeKey } from '../../../../src/records/projects/key-service';
import { newId } from '../../../../src/platform/core/ids';
import { aProject } from '../../../support/platform/app';
import { chain, node } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

/** Enough that each waits for many others, and few enough for a busy machine to do in the time that a request has. */
const MANY = 16;
const LIMITS = { MAX_WEBHOOKS: '3', MAX_SEGMENTS: '24', MAX_AUTOMATIONS: '24', MAX_TEMPLATES: '24', MAX_DOMAINS: '5', MAX_KEYS: '5' };

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', ...LIMITS } });

const post = (path: string, body: object) => app.api().post(path).send(body);
const CONDITIONS = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: 'a' }] }] };
const template = () => post('/v1/templates', { name: 'T', subject: 'S', body: '<p>B</p>', fromEmail: 'a@hello.test' });
const workflow = () => post('/v1/workflows', { name: 'W', trigger: 'event:x', graph: chain(node('e', 'exit', {})) });
const segment = () => post('/v1/segments', { name: 'S', conditions: CONDITIONS });

/** One after another: what is measured is what is done with them at once. */
async function made(create: () => ReturnType<typeof post>, idOf: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < MANY; n++) ids.push((await create().expect(201)).body.data[idOf] as string);
  return ids;
}

/** How many transactions of this process have met another one and were made again. */
const repeated = async (): Promise<number> => (await metrics.transactionRetries.get()).values.reduce((sum, { value }) => sum + value, 0);

/** What all of them were answered, each status once. They take turns: none meets another one. */
async function atOnce(ids: readonly string[], call: (id: string) => PromiseLike<{ readonly status: number }>): Promise<number[]> {
  const before = await repeated();
  const answers = await Promise.all(ids.map(call));
  expect(await repeated()).toBe(before);
  return [...new Set(answers.map(({ status }) => status))];
}

describe('many writes of one project at once all succeed', () => {
  test('automations activated, then removed', async () => {
    const ids = await made(workflow, 'workflowId');
    expect(await atOnce(ids, (id) => app.api().patch(`/v1/workflows/${id}`).send({ status: 'active' }))).toEqual([200]);
    expect((await stored.listeners.one(app.keys.projectId))?.entries).toHaveLength(MANY);
    expect(await atOnce(ids, (id) => app.api().delete(`/v1/workflows/${id}`))).toEqual([200]);
  });

  test('segments edited', async () => {
    const ids = await made(segment, 'segmentId');
    const other = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: 'b' }] }] };
    expect(await atOnce(ids, (id) => app.api().patch(`/v1/segments/${id}`).send({ conditions: other }))).toEqual([200]);
  });

  test('templates removed', async () => {
    const ids = await made(template, 'templateId');
    expect(await atOnce(ids, (id) => app.api().delete(`/v1/templates/${id}`))).toEqual([200]);
  });

  test('domains removed', async () => {
    const first = await post('/v1/domains', { domain: 'd0.example.com' }).expect(201);
    const row = await stored.domains.one(first.body.data.domainId as string);
    // Copied: to make a key for each of them takes longer than all the rest.
    const copies = Array.from({ length: MANY - 1 }, (_, n) => ({ ...row, _id: newId('dom'), domain: `d${n + 1}.example.com` }));
    await stored.domains.collection.insertMany(copies);
    const ids = [first.body.data.domainId as string, ...copies.map(({ _id }) => _id)];
    expect(await atOnce(ids, (id) => app.api().delete(`/v1/domains/${id}`))).toEqual([200]);
  });
});

test('what would be done too late for its caller is not done', async () => {
  const now = performance.now();
  const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(now - 26_000);
  const late = withReferenceLock('prj_late', (session) => lockReferences(session, 'prj_late'));
  clock.mockRestore();
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
  expect(await stored.listeners.count({ _id: 'prj_late' })).toBe(0);
});

describe('a project has at most so many', () => {
  /** Of more than there is room for, at once. */
  async function exactly(room: number, create: (n: number) => PromiseLike<{ readonly status: number; readonly body: { code?: string } }>) {
    const answers = await Promise.all(Array.from({ length: room + 4 }, (_, n) => create(n)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'limit_exceeded')).toHaveLength(4);
  }

  test.each([
    ['webhooks', '/v1/webhooks', 3, () => ({ url: 'https://example.com/hook', events: ['*'], enabled: false })],
    ['segments', '/v1/segments', 24, () => ({ name: 'S', type: 'static' })],
    ['workflows', '/v1/workflows', 24, () => ({ name: 'W', trigger: 'event:x' })],
    ['templates', '/v1/templates', 24, () => ({ name: 'T', subject: 'S', body: 'B', fromEmail: 'a@hello.test' })],
    ['domains', '/v1/domains', 5, (n: number) => ({ domain: `room${n}.example.com` })],
  ])('%s, exactly, however many come at once; another project has room of its own', async (_what, path, most, body) => {
    const { body: list } = await app.api().get(path).expect(200);
    const there = (list.data.data as unknown[]).length;
    await exactly(most - there, (n) => post(path, body(n)));
    expect((await app.api(app.otherKeys.secret).post(path).send(body(9_999))).status).toBe(201);
  });

  test('keys in use', async () => {
    const { projectId } = app.otherKeys;
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => createKey(projectId, 'secret', 5)));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const [refused] = made.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toMatchObject({ code: 'limit_exceeded' });
    const [key] = made.flatMap((each) => (each.status === 'fulfilled' ? [each.value.key] : []));
    await revokeKey(key ?? '');
    expect(await createKey(projectId, 'test', 5)).toMatchObject({ projectId, kind: 'test' });
  });
});
