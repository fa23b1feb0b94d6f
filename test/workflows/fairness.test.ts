import { Context } from '@temporalio/activity';
import { NativeConnection } from '@temporalio/worker';
import type { Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import { automationRunId, nudgeSignal } from '../../src/contracts/automation';
import type { AdvanceInput, RunOn, Todo } from '../../src/contracts/automation';
import { LocalStretches } from '../../src/marketing/automations/local-stretches';
import { createProcesses } from '../../src/platform/temporal/processes';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { createWorkers } from '../../worker/create-workers';
import { eventually } from '../support/platform/platform';
import { testTemporalAddress, testWorkflowCode } from '../support/run/servers';
import { aNamespace } from '../support/run/temporal-namespace';

const namespace = `fairness_${process.pid}_${Date.now()}`;
/** Executions of one project that have something to do at the same moment. */
const MANY = 120;
/** Executions that a worker carries on within their workflows' tasks at the same time. */
const PLACES = 32;

const begun: string[] = [];
const waiting = new Set<string>();
let step = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 100));
let native: NativeConnection;
const client = aNamespace(namespace);
let worker: Worker;
let running: Promise<void>;

const steps = new LocalStretches();

const runExecution = (input: AdvanceInput): Promise<RunOn> => {
  const { isLocal } = Context.current().info;
  const work = () => runStep(input, isLocal);
  return isLocal ? steps.run(input, work) : steps.runApart(input, work);
};

/** Of A, the first one of an execution leads to a wait, the second one to its end. */
async function runStep({ executionId, projectId }: AdvanceInput, isLocal: boolean): Promise<RunOn> {
  if (isLocal) begun.push(executionId);
  if (projectId === 'prj_A') await step();
  if (projectId === 'prj_B' || waiting.delete(executionId)) return passing({ next: 'over', status: 'completed' });
  waiting.add(executionId);
  return passing({ next: 'wait', nodeId: 'd', until: Date.now() + 3_600_000, cause: 'delay' });
}

const passing = (todo: Todo): RunOn => ({ todo, way: [] });

const start = (projectId: string, executionId: string): Promise<void> =>
  createProcesses(client).start({
    kind: 'start',
    workflow: 'automationRun',
    workflowId: automationRunId(executionId),
    input: { executionId, projectId },
    summary: 'An execution',
    attributes: { projectId },
  });

beforeAll(async () => {
  native = await NativeConnection.connect({ address: testTemporalAddress() });
  await ensureSearchAttributes(client, namespace);
  const activities = { runExecution } as Partial<Activities> as Activities;
  const queues = ['orchestration'] as const;
  [worker] = (await createWorkers({ connection: native, namespace, queues, activities, workflowCode: testWorkflowCode() })) as [Worker];
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await native.close();
});

const ofA = (round: string): readonly string[] => Array.from({ length: MANY }, (_, n) => `exe_A${n}_${round}`);
const allWait = () => eventually('all of A wait', () => waiting.size === MANY);
const allEnd = () => eventually('all of A have gone on', () => waiting.size === 0);

/** Resolves to how many of A begin between the start of a new execution of B, which takes a while on a busy machine, and its first step. */
async function begunBefore(b: string): Promise<number> {
  await start('prj_B', b);
  const already = begun.length;
  await eventually('B has begun', () => begun.includes(b));
  return begun.indexOf(b) - already;
}

const goOn = (ids: readonly string[]) => Promise.all(ids.map((id) => client.workflow.getHandle(automationRunId(id)).signal(nudgeSignal)));

test('an execution behind many of another project that wait to begin begins among the first', async () => {
  await Promise.all(ofA('1').map((id) => start('prj_A', id)));
  await start('prj_B', 'exe_B1');
  running = worker.run();
  await allWait();
  expect(begun.indexOf('exe_B1')).toBeLessThanOrEqual(PLACES);
});

test('an execution has its turn among the next while many of another project go on after a wait', async () => {
  await goOn(ofA('1'));
  // Places may change hands once until a busy server has handed out the start of B.
  expect(await begunBefore('exe_B2')).toBeLessThanOrEqual(2 * PLACES);
  await allEnd();
});

test('an execution begins while steps of others do not end: tasks without a place are given back and return', async () => {
  await Promise.all(ofA('2').map((id) => start('prj_A', id)));
  await allWait();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  step = () => released;
  await goOn(ofA('2'));
  try {
    // On a slow machine places change hands once: a step that does not end holds its place for five seconds.
    expect(await begunBefore('exe_B3')).toBeLessThanOrEqual(2 * PLACES);
    expect(await begunBefore('exe_B4')).toBeLessThanOrEqual(2 * PLACES);
  } finally {
    release();
  }
  await allEnd();
});
