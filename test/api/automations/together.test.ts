import { partOf } from '../../../src/automations/counts';
import type { Execution } from '../../../src/automations/execution-model';
import { stepsTogether } from '../../../src/automations/together';
import { startTestApp } from '../../support/app';
import type { TestApp } from '../../support/app';
import { activate, always, chain, contact, play, send } from '../../support/automations';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
});
afterAll(() => app.close());

/** Executions that are counted in the same row. */
function ofOnePart(count: number): Execution[] {
  const all = Array.from({ length: 100 * count }, (_, n) => ({ _id: `wfx_${n}`, automationId: 'wfl_1' }) as Execution);
  return all.filter((one) => partOf(one) === partOf(all[0] as Execution)).slice(0, count);
}

test('steps that come while a transaction runs share the next one, fifty at most', async () => {
  const sizes: number[] = [];
  const commit = stepsTogether<string>((_session, steps) => {
    sizes.push(steps.length);
    return Promise.resolve();
  });
  const executions = ofOnePart(61);
  const first = commit({ execution: executions[0] as Execution, work: '' }, 'usage/prj_1');
  await first;
  await Promise.all(executions.map((execution) => commit({ execution, work: '' }, 'usage/prj_1')));
  expect(sizes).toEqual([1, 50, 11]);
});

test('of steps that share a transaction one that fails fails alone', async () => {
  const committed: string[] = [];
  const commit = stepsTogether<string>((_session, steps) => {
    if (steps.some(({ work }) => work === 'bad')) return Promise.reject(new Error('bad'));
    committed.push(...steps.map(({ work }) => work));
    return Promise.resolve();
  });
  const works = ['good', 'bad', 'better'];
  const results = await Promise.allSettled(ofOnePart(3).map((execution, n) => commit({ execution, work: works[n] ?? '' }, null)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(committed).toEqual(['good', 'better']);
});

test('messages of many executions at once are in the ledger once each, and counted exactly', async () => {
  const id = await activate(app, chain(send('mail', { type: 'marketing' })), always);
  const contacts = await Promise.all(Array.from({ length: 30 }, (_, n) => contact(app, { email: `many-${n}@example.com` })));
  const runs = await Promise.all(contacts.map((one) => play(app, id, one)));
  expect([...new Set(runs.map(({ status }) => status))]).toEqual(['completed']);
  const { body } = await app.api().get(`/v1/emails?workflowId=${id}&limit=100`).expect(200);
  expect(new Set((body.data as { to: string }[]).map(({ to }) => to)).size).toBe(30);
  const { body: stats } = await app.api().get(`/v1/stats/workflows/${id}`).expect(200);
  expect(stats.data).toMatchObject({ entered: 30, completed: 30 });
});
