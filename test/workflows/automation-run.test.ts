import { Context } from '@temporalio/activity';
import { automationProgressQuery, automationRunId, nudgeSignal } from '../../src/contracts/automation';
import type { AdvanceInput, RunOn, Todo } from '../../src/contracts/automation';
import { dueOf } from '../support/checks/due';
import { eventually } from '../support/platform/platform';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const HOUR_MS = 3_600_000;
const OVER: Todo = { next: 'over', status: 'completed' };

/** What each run of an execution's nodes finds, in order. */
const script = new Map<string, ((now: number) => Promise<Todo> | Todo)[]>();
/** Where each ran: in the workflow's own task, or as an activity. */
const ran = new Map<string, ('task' | 'activity')[]>();

async function runExecution({ executionId, now }: AdvanceInput): Promise<RunOn> {
  ran.get(executionId)?.push(Context.current().info.isLocal ? 'task' : 'activity');
  const find = script.get(executionId)?.shift() ?? (() => OVER);
  return { todo: await find(now), way: [{ nodeId: 'mail', type: 'send_email', at: now, emailId: 'em_1' }] };
}

const env = aTimeSkippingServer({ orchestration: { runExecution } });

function start(executionId: string, ...found: ((now: number) => Promise<Todo> | Todo)[]) {
  script.set(executionId, found);
  ran.set(executionId, []);
  return env.client.workflow.start('automationRun', {
    workflowId: automationRunId(executionId),
    taskQueue: 'orchestration',
    args: [{ executionId, projectId: 'prj_1' }],
  });
}

const waitsFor =
  (ms: number) =>
  (now: number): Todo => ({ next: 'wait', nodeId: 'd', until: now + ms, cause: 'delay' });

test('an execution is carried as far as its next wait by one task, which names the nodes on the way', async () => {
  const handle = await start('exe_1', waitsFor(HOUR_MS), () => OVER);
  await handle.result();
  expect(ran.get('exe_1')).toEqual(['task', 'task']);
  const { events } = await handle.fetchHistory();
  expect(events?.filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled)).toEqual([]);
  const markers = (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) =>
    marker?.details?.['result'] ? [marker.details] : [],
  );
  const results = markers.map(({ result }) => JSON.parse(Buffer.from(result?.payloads?.[0]?.data ?? []).toString()) as RunOn);
  expect(results).toMatchObject([{ way: [{ nodeId: 'mail' }], todo: { next: 'wait' } }, { todo: { next: 'over' } }]);
});

test('an execution with one wait comes to at most 16 events, in two tasks', async () => {
  const handle = await start('exe_short', waitsFor(HOUR_MS), () => OVER);
  await handle.result();
  const { events } = await handle.fetchHistory();
  expect(events?.filter(({ workflowTaskCompletedEventAttributes: completed }) => completed).length).toBe(2);
  expect(events?.length).toBeLessThanOrEqual(16);
});

test('a node that fails in the task is tried again by an activity, as long as it takes', async () => {
  const fails = () => Promise.reject(new Error('the database is away'));
  await (await start('exe_2', fails, fails, fails, () => OVER)).result();
  expect(ran.get('exe_2')).toEqual(['task', 'activity', 'activity', 'activity']);
});

test('a node that takes longer than a task may is carried out by an activity', async () => {
  const never = () =>
    new Promise<Todo>((_resolve, reject) =>
      Context.current().cancellationSignal.addEventListener('abort', () => reject(new Error('too long'))),
    );
  await (await start('exe_3', never, () => OVER)).result();
  expect(ran.get('exe_3')).toEqual(['task', 'activity']);
});

test('a wait is found by its end, unless it is over before anyone could look', async () => {
  const handle = await start('exe_due', waitsFor(HOUR_MS), waitsFor(30_000), () => OVER);
  const began = (await handle.describe()).startTime.getTime();
  await handle.result();
  const late = ((await dueOf(handle)) ?? 0) - (began + HOUR_MS);
  expect(late >= 0 && late < 30_000 ? 'in time' : late).toBe('in time');
});

test('what a wait is for may come at once', async () => {
  const handle = await start('exe_4', waitsFor(24 * HOUR_MS), () => OVER);
  await eventually('it waits', async () => (await handle.query(automationProgressQuery)).doing === 'waits for the time');
  const began = await env.currentTimeMs();
  await handle.signal(nudgeSignal);
  await eventually('it has looked again', () => ran.get('exe_4')?.length === 2);
  expect((await env.currentTimeMs()) - began).toBeLessThan(HOUR_MS);
  await handle.result();
});
