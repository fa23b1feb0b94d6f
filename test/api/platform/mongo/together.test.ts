import { stopExecution } from '../../../../src/marketing/automations/cancel';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { inSequence, together } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, hour, play, runOf, send } from '../../../support/calls/automations';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const KEYS = ['usage/prj_1', 'counts/1'];

test('works that come while a transaction runs share the next one, fifty at most, and each has its own result', async () => {
  const sizes: number[] = [];
  const commit = together((_session, works: readonly number[]) => {
    sizes.push(works.length);
    return Promise.resolve(works.map((work) => work * 2));
  });
  expect(await commit(KEYS, 0)).toBe(0);
  const works = Array.from({ length: 61 }, (_, n) => n);
  expect(await Promise.all(works.map((work) => commit(KEYS, work)))).toEqual(works.map((work) => work * 2));
  expect(sizes).toEqual([1, 50, 11]);
});

test('a work that fails does not fail the others that share its transaction', async () => {
  const committed: string[] = [];
  const commit = together((_session, works: readonly string[]) => {
    if (works.includes('bad')) return Promise.reject(new Error('bad'));
    committed.push(...works);
    return Promise.resolve(works);
  });
  const results = await Promise.allSettled(['good', 'bad', 'better'].map((work) => commit(KEYS, work)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(committed).toEqual(['good', 'better']);
});

test('works wait for what else has one of their keys, and for nothing else', async () => {
  const order: string[] = [];
  const commit = together((_session, works: readonly string[]) => {
    order.push(...works);
    return Promise.resolve(works);
  });
  let release = (): void => undefined;
  const held = inSequence('counts/1', () => new Promise<void>((resolve) => (release = resolve)));
  const waiting = commit(KEYS, 'waiting');
  await commit(['usage/prj_2', 'counts/2'], 'free');
  release();
  await Promise.all([held, waiting]);
  expect(order).toEqual(['free', 'waiting']);
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

test('executions that end at once, as when their workflows are cancelled in Temporal, share transactions and do not collide', async () => {
  const id = await activate(app, chain(hour), always);
  const contacts = await Promise.all(Array.from({ length: 60 }, (_, n) => contact(app, { email: `ends-${n}@example.com` })));
  const runs = await Promise.all(contacts.map((one) => play(app, id, one)));
  const repeated = async () => (await metrics.transactionRetries.get()).values[0]?.value ?? 0;
  const before = await repeated();
  const { projectId } = app.keys;
  await Promise.all(runs.map(({ executionId }) => stopExecution({ projectId, executionId })));
  expect((await repeated()) - before).toBeLessThan(10);
  const { body } = await app.api().get(`/v1/stats/workflows/${id}`).expect(200);
  expect(body.data).toMatchObject({ entered: 60, cancelled: 60 });
  expect((await runOf(app, runs[0]?.executionId ?? '')).status).toBe('cancelled');
});
