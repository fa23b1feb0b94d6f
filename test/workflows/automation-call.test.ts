import { automationProgressQuery, automationRunId, nudgeSignal } from '../../src/contracts/automation';
import type { CallInput, RunOn, Todo } from '../../src/contracts/automation';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const MINUTE = 60_000;

/** What comes of the next call of each execution. */
const script = new Map<string, Todo[]>();
/** The calls of each, with the number of their attempt and the workflow's time. */
const calls = new Map<string, { attempt: number; now: number }[]>();

const call = (attempt: number, afterMs: number, heldBack = false): Todo => ({
  next: 'call',
  nodeId: 'hook',
  attempt,
  afterMs,
  ...(heldBack && { heldBack: true as const }),
});

const activities = {
  runExecution: (): Promise<RunOn> => Promise.resolve({ todo: call(1, 0), way: [] }),
  callWebhookNode: ({ executionId, attempt, now }: CallInput): Promise<Todo> => {
    calls.get(executionId)?.push({ attempt, now });
    return Promise.resolve(script.get(executionId)?.shift() ?? { next: 'over', status: 'completed' });
  },
};

const env = aTimeSkippingServer({ orchestration: activities, http: activities });

function start(executionId: string, ...found: readonly Todo[]) {
  script.set(executionId, [...found]);
  calls.set(executionId, []);
  const workflowId = automationRunId(executionId);
  return env.client.workflow.start('automationRun', {
    workflowId,
    taskQueue: 'orchestration',
    args: [{ executionId, projectId: 'prj_1' }],
  });
}

const attempts = (executionId: string): number[] => (calls.get(executionId) ?? []).map(({ attempt }) => attempt);

test('a call that is held back waits by a timer, for the time it was given, and spends no attempt', async () => {
  await (await start('exe_held', call(1, MINUTE, true), call(1, 5 * MINUTE, true), call(2, 1_000), call(2, MINUTE, true))).result();
  expect(attempts('exe_held')).toEqual([1, 1, 1, 2, 2]);
  const times = (calls.get('exe_held') ?? []).map(({ now }) => now);
  const waits = times.slice(1).map((now, index) => (now - (times[index] ?? 0)) / 1_000);
  // What a busy machine adds is less.
  const late = waits.map((seconds, index) => seconds - ([60, 300, 1, 60][index] ?? Number.NaN));
  expect(late.every((by) => by >= 0 && by < 20) || waits).toBe(true);
});

test('a call that waits says what it waits for, and looks again when nudged', async () => {
  const handle = await start('exe_nudged', call(2, 60 * MINUTE, true));
  await env.sleep(MINUTE);
  expect(await handle.query(automationProgressQuery)).toMatchObject({
    nodeId: 'hook',
    doing: 'webhook, attempt 2, waits for a free place',
  });
  await handle.signal(nudgeSignal);
  await handle.result();
  const [first, second] = calls.get('exe_nudged') ?? [];
  expect((second?.now ?? 0) - (first?.now ?? 0)).toBeLessThan(2 * MINUTE);
});

test('one that is held back for days keeps a short history and the number of its attempt', async () => {
  const handle = await start('exe_long', call(2, 1_000), ...Array.from({ length: 220 }, () => call(2, 5 * MINUTE, true)), call(3, 1_000));
  await handle.result();
  expect(attempts('exe_long')).toEqual([1, ...Array<number>(221).fill(2), 3]);
  const last = await env.client.workflow.getHandle(handle.workflowId).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(2_100);
});
