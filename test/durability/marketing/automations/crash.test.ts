import type { Client } from '@temporalio/client';
import { automationRunId, nudgeSignal } from '../../../../src/contracts/automation';
import { FAN_OUT_SHARDS, fanOutPumpId, wakeSignal } from '../../../../src/contracts/fan-out';
import { createProcesses } from '../../../../src/platform/temporal/processes';
import { aPlatform, Part, eventually } from '../../../support/platform/platform';
import { chain, hour } from '../../../support/calls/automations';
import { aHook, everyNode } from '../../../support/data/every-node';
import { stored } from '../../../support/data/stored';

jest.setTimeout(600_000);

const PEOPLE = 24;
const PAUSE = { amount: 0.5, unit: 'seconds' };
/** The worker is killed when the first one comes to each of these; the others are at the nodes before it by then. The chaos run kills it at every node. */
const KILLED_AT =
  process.env['LETTERMILL_TEST_KILLS'] === 'all'
    ? everyNode({ into: '', outOf: '', url: '', pause: PAUSE }).nodes.map(({ id }) => id)
    : ['mail-1', 'hook', 'mail-2', 'told'];

const hook = aHook();
const platform = aPlatform({ env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });

test('a worker that is killed again and again, while people are at every node, repeats nothing and skips nothing', async () => {
  const segment = async () => (await platform.post('/v1/segments', { name: 'S', type: 'static' })).body.data.segmentId as string;
  const [into, outOf] = [await segment(), await segment()];
  const graph = everyNode({ into, outOf, url: hook.url, pause: PAUSE });
  const id = (await platform.post('/v1/workflows', { name: 'W', trigger: 'event:begin', graph })).body.data.workflowId as string;
  expect((await platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' })).status).toBe(200);
  const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.com`);
  for (const email of people) {
    await platform.post('/v1/contacts', { email });
    await platform.post(`/v1/segments/${outOf}/members`, { emails: [email] });
    expect((await platform.post(`/v1/workflows/${id}/enroll`, { email, data: { run: 1 } })).status).toBe(201);
  }
  const passed = (nodeId: string) => stored.executions.count({ automationId: id, 'steps.nodeId': nodeId });
  for (const nodeId of KILLED_AT) {
    await eventually(`somebody is at ${nodeId}`, async () => (await passed(nodeId)) > 0, 150_000);
    await platform.worker.kill9();
    await platform.worker.start();
  }
  await eventually('all are over', async () => (await stored.executions.count({ automationId: id, finishedAt: null })) === 0, 240_000);

  const executions = await stored.executions.all({ automationId: id });
  expect(executions).toHaveLength(PEOPLE);
  const ids = graph.nodes.map((one) => one.id);
  for (const { steps, status, exitReason } of executions) {
    expect([status, exitReason, ...steps.map((step) => `${step.nodeId} ${step.status}`)]).toEqual([
      'exited',
      'done',
      ...ids.map((one) => `${one} completed`),
    ]);
  }
  expect(await stored.emails.count({ workflowId: id })).toBe(3 * PEOPLE);
  await eventually(
    'all mail is delivered',
    async () => (await stored.emails.count({ workflowId: id, status: 'delivered' })) === 3 * PEOPLE,
    120_000,
  );
  for (const name of ['halfway', 'workflow.entered', 'workflow.exited', 'segment.exited', 'contact.updated']) {
    expect([name, await stored.events.count({ name })]).toEqual([name, PEOPLE]);
  }
  expect(await stored.events.count({ name: 'segment.entered', 'data.segmentId': into })).toBe(PEOPLE);
  expect(new Set(hook.keys).size).toBe(PEOPLE);
  expect((await platform.get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: PEOPLE, active: 0, completed: PEOPLE });
  expect(await stored.enrolmentGuards.count({ running: { $ne: 0 } })).toBe(0);
});

type Time = { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined;
const secondsOf = (time: Time): number => Number(time?.seconds) + (time?.nanos ?? 0) / 1e9;

/** How many seconds each task of a workflow waited for the worker that carried it out, by the workflow's history, since an instant. */
async function waitsOf(client: Client, workflowId: string, since: number): Promise<readonly number[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const waits: number[] = [];
  let [scheduled, started] = [0, 0];
  for (const { eventTime, ...event } of events ?? []) {
    const at = secondsOf(eventTime);
    if (event.workflowTaskScheduledEventAttributes) scheduled ||= at;
    if (event.workflowTaskStartedEventAttributes) started = at;
    if (!event.workflowTaskCompletedEventAttributes) continue;
    if (scheduled > since) waits.push(started - scheduled);
    scheduled = 0;
  }
  return waits;
}

test('what a killed worker kept in its memory is taken on by another one within five seconds', async () => {
  const another = new Part('worker/main.ts', platform.env, 'Worker is ready');
  const client = await platform.temporalClient();
  try {
    await another.start();
    const graph = chain(hour);
    const id = (await platform.post('/v1/workflows', { name: 'Waits', trigger: 'event:none', graph })).body.data.workflowId as string;
    await platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' });
    const enrol = async (_: unknown, n: number): Promise<string> => {
      const email = `waits-${n}@example.com`;
      await platform.post('/v1/contacts', { email });
      const { body } = await platform.post(`/v1/workflows/${id}/enroll`, { email, data: {} });
      return automationRunId(body.data.executionId as string);
    };
    const runs = await Promise.all(Array.from({ length: 8 }, enrol));
    const pumps = Array.from({ length: FAN_OUT_SHARDS }, (_, shard) => fanOutPumpId(shard));
    await Promise.all(pumps.map((_, shard) => createProcesses(client).wakeFanOut(shard)));
    const tasks = (workflowIds: readonly string[], since: number) => Promise.all(workflowIds.map((one) => waitsOf(client, one, since)));
    await eventually('all wait', async () => (await tasks([...runs, ...pumps], 0)).every(({ length }) => length > 0));
    await platform.worker.kill9();
    const killed = Date.now() / 1_000;
    await Promise.all(runs.map((one) => client.workflow.getHandle(one).signal(nudgeSignal)));
    await Promise.all(pumps.map((one) => client.workflow.getHandle(one).signal(wakeSignal)));
    await eventually('all were taken on', async () => (await tasks([...runs, ...pumps], killed)).every(({ length }) => length > 0));
    const waits = (await tasks([...runs, ...pumps], killed)).flat();
    expect(waits.some((seconds) => seconds > 1)).toBe(true);
    expect(Math.max(...waits)).toBeLessThan(5);
  } finally {
    await client.connection.close();
    await another.stop();
  }
});
