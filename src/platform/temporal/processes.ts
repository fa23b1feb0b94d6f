import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { withinLimit } from '../async';
import { deliveryPumpId, wakeSignal } from '../../contracts/delivery';
import { fanOutPumpId } from '../../contracts/fan-out';
import { PRIORITIES } from '../../contracts/priorities';
import type { PlatformWorkflow } from '../../contracts/priorities';
import { rampWorkflowId } from '../../contracts/ramp';
import { webhookPumpId } from '../../contracts/webhook';
import type { Processes, SignalIntent, StartIntent } from '../../contracts/processes';
import type { TaskQueue } from '../../contracts/task-queues';
import { searchAttributesOf, DUE, LISTS } from './search-attributes';
import type { TypedSearchAttributes } from '@temporalio/common';
import { deferredListOf } from '../../contracts/waiting-mail';
import type { DeferredList } from '../../contracts/waiting-mail';

const PUMPS: TaskQueue = 'pumps';

/** Creates the only code that starts or signals workflows. They are started by name: no other folder than `workflows` knows their code. */
export function createProcesses(client: Client): Processes {
  const wakePump = async (workflow: PlatformWorkflow, workflowId: string, shard: number, summary: string): Promise<void> => {
    await client.workflow.signalWithStart(workflow, {
      workflowId,
      taskQueue: PUMPS,
      args: [{ shard }],
      signal: wakeSignal,
      staticSummary: `${summary}, shard ${shard}`,
      priority: { priorityKey: PRIORITIES[workflow] },
    });
  };
  const start = (intent: StartIntent): Promise<void> => {
    const { workflow, workflowId, input, signal, orSignal } = intent;
    const options = startOptions(intent);
    const begin = (): Promise<unknown> =>
      signal === undefined ? client.workflow.start(workflow, options) : client.workflow.signalWithStart(workflow, { ...options, signal });
    if (orSignal !== undefined) return startOrSignal(begin, () => client.workflow.getHandle(workflowId).signal(orSignal, input));
    return unless(WorkflowExecutionAlreadyStartedError, begin);
  };
  return {
    wakeDelivery: (shard) => wakePump('deliveryPump', deliveryPumpId(shard), shard, 'Outgoing mail'),

    wakeFanOut: (shard) => wakePump('fanOutPump', fanOutPumpId(shard), shard, 'Events on their way'),

    wakeWebhooks: (shard) => wakePump('webhookPump', webhookPumpId(shard), shard, 'Webhook deliveries'),

    startRamp: (transport) => startRamp(client, transport),

    start,

    endedEarly: (workflow, since) => endedEarly(client, workflow, since),

    ask: async (intent: StartIntent, update: string, withinMs: number) => {
      const startWorkflowOperation = new WithStartWorkflowOperation(intent.workflow, {
        ...startOptions(intent),
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await withinLimit(withinMs, () => client.workflow.executeUpdateWithStart(update, { startWorkflowOperation }));
    },

    deferredLists: () => readDeferredLists(client),

    endAllOf: (projectId: string) => endAll(client, projectId),

    signal: async ({ workflowId, signal, id, input, orStart }: SignalIntent) => {
      try {
        await client.workflow.getHandle(workflowId).signal(signal, { id, input });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        if (orStart) await start(orStart);
      }
    },
  };
}

const startRamp = (client: Client, transport: string): Promise<void> =>
  unless(WorkflowExecutionAlreadyStartedError, () =>
    client.workflow.start('ramp', {
      workflowId: rampWorkflowId(transport),
      taskQueue: 'orchestration',
      args: [{ transport }],
      staticSummary: `Ramp of the transport ${transport}`,
      priority: { priorityKey: PRIORITIES['ramp'] },
    }),
  );

const WITHIN_MS = 10_000;

const PAGE = 1_000;

const QUERY = "WorkflowType = 'deferredMail' AND ExecutionStatus = 'Running'";

/**
 * Reads which deferred messages the running workflows name, in Temporal's list of workflows. Changes of the last moment may be missing
 * there.
 */
const readDeferredLists = (client: Client): Promise<readonly DeferredList[]> =>
  client.withDeadline(Date.now() + WITHIN_MS, async () => {
    const lists: DeferredList[] = [];
    for await (const { workflowId, typedSearchAttributes } of client.workflow.list({ query: QUERY, pageSize: PAGE })) {
      const list = deferredListOf(workflowId);
      if (list) lists.push({ ...list, ...shownIn(typedSearchAttributes) });
    }
    return lists;
  });

const shownIn = (attributes: TypedSearchAttributes): Pick<DeferredList, 'emailIds' | 'firstAt'> => ({
  emailIds: attributes.get(LISTS.emailIds) ?? [],
  firstAt: attributes.get(DUE)?.getTime() ?? null,
});

const startOptions = ({ workflow, workflowId, input, summary, attributes, queue, afterMs }: StartIntent) =>
  ({
    workflowId,
    taskQueue: queue ?? 'orchestration',
    args: [input],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: summary,
    ...(afterMs !== undefined && { startDelay: afterMs }),
    typedSearchAttributes: searchAttributesOf(attributes),
    priority: { priorityKey: PRIORITIES[workflow], fairnessKey: attributes.projectId },
  }) as const satisfies WorkflowStartOptions;

/** Starts or signals, and repeats both when the workflow ends in between. Rejects after several tries. */
async function startOrSignal(start: () => Promise<unknown>, signal: () => Promise<void>, tries = 3): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await signal().catch((gone: unknown) => {
      if (!(gone instanceof WorkflowNotFoundError) || tries === 0) throw gone;
      return startOrSignal(start, signal, tries - 1);
    });
  }
}

async function endedEarly(client: Client, workflow: StartIntent['workflow'], since: Date): Promise<readonly string[]> {
  const early = `ExecutionStatus IN ('Terminated', 'Canceled', 'Failed', 'TimedOut')`;
  const found: string[] = [];
  const query = `WorkflowType = '${workflow}' AND ${early} AND CloseTime > '${since.toISOString()}'`;
  for await (const { workflowId } of client.workflow.list({ query })) found.push(workflowId);
  return found;
}

const OF_PROJECT_ID = /^[a-z0-9_]+$/;

async function endAll(client: Client, projectId: string): Promise<number> {
  if (!OF_PROJECT_ID.test(projectId)) throw new Error('Not the id of a project');
  let found = 0;
  const query = `ProjectId = '${projectId}' AND ExecutionStatus = 'Running' AND WorkflowType != 'projectRemoval'`;
  for await (const { workflowId, type } of client.workflow.list({ query })) {
    found++;
    if (type === 'campaignRemoval') continue;
    await unless(WorkflowNotFoundError, () => client.workflow.getHandle(workflowId).terminate('The project is removed'));
  }
  return found;
}

/** Ignores an expected error: the work was done before, or is not needed any more. */
async function unless(expected: new (...args: never[]) => Error, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof expected)) throw error;
  }
}
