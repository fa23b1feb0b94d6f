import { createProcesses } from '../../src/platform/temporal/processes';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { aNamespace } from '../support/run/temporal-namespace';

const namespace = `later_${process.pid}_${Date.now()}`;
const client = aNamespace(namespace);

test('a workflow that begins later has no task before, however often it is signalled or wanted again', async () => {
  await ensureSearchAttributes(client, namespace);
  const processes = createProcesses(client);
  const execution = {
    kind: 'start',
    workflow: 'automationRun',
    workflowId: 'exe_later',
    input: { executionId: 'exe_later', projectId: 'prj_A' },
    summary: 'An execution',
    attributes: { projectId: 'prj_A' },
  } as const;
  await processes.start({ ...execution, afterMs: 2_500 });
  await processes.signal({ kind: 'signal', workflowId: 'exe_later', signal: 'nudge', id: 'one' });
  await processes.start(execution);
  const { events } = await client.workflow.getHandle('exe_later').fetchHistory();
  expect(events?.map((event) => Object.keys(event).find((name) => name.endsWith('EventAttributes')))).toEqual([
    'workflowExecutionStartedEventAttributes',
    'workflowExecutionSignaledEventAttributes',
  ]);
  expect(Number(events?.[0]?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff?.seconds)).toBe(2);
  const began = await client.connection.withDeadline(Date.now() + 20_000, () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: 'orchestration' }, identity: 'a worker' }),
  );
  expect(began.workflowExecution?.workflowId).toBe('exe_later');
});

test('a signal starts a workflow that runs no more, where it says which', async () => {
  await ensureSearchAttributes(client, namespace);
  const processes = createProcesses(client);
  const execution = {
    kind: 'start',
    workflow: 'automationRun',
    workflowId: 'exe_lost',
    input: { executionId: 'exe_lost', projectId: 'prj_A' },
    summary: 'An execution',
    attributes: { projectId: 'prj_A' },
  } as const;
  const nudge = { kind: 'signal', workflowId: 'exe_lost', signal: 'nudge', id: 'one' } as const;
  await processes.signal(nudge);
  await expect(client.workflow.getHandle('exe_lost').describe()).rejects.toThrow('not found');
  await processes.signal({ ...nudge, orStart: execution });
  const { runId } = await client.workflow.getHandle('exe_lost').describe();
  await processes.signal({ ...nudge, orStart: execution });
  expect(await client.workflow.getHandle('exe_lost').describe()).toMatchObject({ runId, status: { name: 'RUNNING' } });
});
