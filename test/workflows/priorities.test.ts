import pino from 'pino';
import { PRIORITIES } from '../../src/contracts/priorities';
import type { Processes, StartIntent } from '../../src/contracts/processes';
import { deliveryPumpId } from '../../src/contracts/delivery';
import type { TaskQueue } from '../../src/contracts/task-queues';
import { createProcesses } from '../../src/platform/temporal/processes';
import { ensureSchedules } from '../../src/platform/temporal/schedules';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import * as workflows from '../../workflows';
import { aNamespace } from '../support/run/temporal-namespace';

const namespace = `priorities_${process.pid}_${Date.now()}`;
const [A, B] = ['prj_A', 'prj_B'];
const client = aNamespace(namespace);
let processes: Processes;

beforeAll(async () => {
  await ensureSearchAttributes(client, namespace);
  processes = createProcesses(client);
});

const campaign = (projectId: string, campaignId: string): StartIntent => ({
  kind: 'start',
  workflow: 'campaignSend',
  workflowId: campaignId,
  input: { campaignId, projectId } as never,
  summary: 'A campaign',
  attributes: { projectId, campaignId },
});

const execution = (projectId: string, executionId: string): StartIntent => ({
  kind: 'start',
  workflow: 'automationRun',
  workflowId: executionId,
  input: { executionId, projectId },
  summary: 'An execution',
  attributes: { projectId },
});

const scheduled = (projectId: string, workflowId: string): StartIntent => ({
  kind: 'start',
  workflow: 'scheduledSend',
  workflowId,
  input: { minute: '2040-01-01T00:00:00.000Z', projectId },
  summary: 'A minute',
  attributes: { projectId },
  signal: 'changed',
});

const identity = 'a worker with one slot';
const taskQueue = (name: TaskQueue) => ({ name });
const soon = <T>(call: () => Promise<T>): Promise<T> => client.connection.withDeadline(Date.now() + 20_000, call);
const priorityOf = async (workflowId: string) => (await client.workflow.getHandle(workflowId).describe()).priority;

const pollWorkflow = () =>
  soon(() => client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: taskQueue('orchestration'), identity }));

/** The id of the next workflow that the schedule starts. */
async function firstTaskOf(schedule: string): Promise<string> {
  const workflowId = (await pollWorkflow()).workflowExecution?.workflowId ?? '';
  return workflowId.startsWith(schedule) ? workflowId : firstTaskOf(schedule);
}

/** The tasks in the order in which a worker with one slot gets them, with what answers each. */
async function workflowTasks(count: number): Promise<Map<string, Uint8Array>> {
  const tokens = new Map<string, Uint8Array>();
  for (let n = 0; n < count; n++) {
    const task = await pollWorkflow();
    tokens.set(task.workflowExecution?.workflowId ?? '', task.taskToken);
  }
  return tokens;
}

async function activityTasks(count: number): Promise<readonly string[]> {
  const order: string[] = [];
  for (let n = 0; n < count; n++) {
    const task = await soon(() => client.workflowService.pollActivityTaskQueue({ namespace, taskQueue: taskQueue('bulk'), identity }));
    order.push(task.workflowExecution?.workflowId ?? '');
  }
  return order;
}

/** temporal.api.enums.v1.CommandType */
const SCHEDULE_ACTIVITY = 1;
const CONTINUE_AS_NEW = 10;

const answer = (taskToken: Uint8Array | undefined, command: object) =>
  client.workflowService.respondWorkflowTaskCompleted({ namespace, identity, taskToken: taskToken ?? null, commands: [command] });

const toBulk = (taskToken: Uint8Array | undefined) =>
  answer(taskToken, {
    commandType: SCHEDULE_ACTIVITY,
    scheduleActivityTaskCommandAttributes: {
      activityId: 'page',
      activityType: { name: 'page' },
      taskQueue: taskQueue('bulk'),
      startToCloseTimeout: { seconds: 60 },
    },
  });

test('a workflow behind the backlog of another project is among the first, and urgent ones overtake both', async () => {
  const backlog = Array.from({ length: 12 }, (_, n) => `cmp_A${n}`);
  for (const id of backlog) await processes.start(campaign(A, id));
  await processes.start(campaign(B, 'cmp_B'));
  await processes.start(execution(A, 'automation/A'));
  await processes.start(scheduled(A, 'scheduled/A'));

  const tasks = await workflowTasks(15);
  const order = [...tasks.keys()];
  expect([...order].sort()).toEqual([...backlog, 'cmp_B', 'automation/A', 'scheduled/A'].sort());
  // Temporal keeps the order nearly: one task of the backlog may be on its way already.
  expect(order.indexOf('scheduled/A')).toBeLessThan(2);
  expect(order.indexOf('automation/A')).toBeLessThan(3);
  expect(order.indexOf('cmp_B')).toBeLessThan(6);

  for (const id of [...backlog, 'cmp_B']) await toBulk(tasks.get(id));
  expect((await activityTasks(13)).indexOf('cmp_B')).toBeLessThan(4);

  await answer(tasks.get('automation/A'), {
    commandType: CONTINUE_AS_NEW,
    continueAsNewWorkflowExecutionCommandAttributes: { workflowType: { name: 'automationRun' }, taskQueue: taskQueue('orchestration') },
  });
  expect(await priorityOf('automation/A')).toMatchObject({ priorityKey: 3, fairnessKey: A });
});

test('what is started by a signal or a schedule has its priority too', async () => {
  await processes.wakeDelivery(3);
  expect(await priorityOf(deliveryPumpId(3))).toMatchObject({ priorityKey: 1 });
  await processes.start(scheduled(B, 'scheduled/B'));
  expect(await priorityOf('scheduled/B')).toMatchObject({ priorityKey: 2, fairnessKey: B });
  await ensureSchedules(client, pino({ enabled: false }));
  await client.schedule.getHandle('contact-fields').trigger();
  expect(await priorityOf(await firstTaskOf('contact-fields'))).toMatchObject({ priorityKey: 5 });
});

test("each workflow has a priority; a child has its parent's", () => {
  expect(Object.keys(workflows).filter((name) => !(name in PRIORITIES))).toEqual(['campaignAb']);
});
