import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { deliveryPumpId, wakeSignal } from '../contracts/delivery';
import { fanOutPumpId } from '../contracts/fan-out';
import { webhookPumpId } from '../contracts/webhook';
import type { Processes, SignalIntent, StartIntent } from '../contracts/processes';
import { searchAttributesOf } from './search-attributes';

const DEADLINE_MS = 5_000;
const SWEEP_SECONDS = 10;
const SEGMENT_SWEEP_SECONDS = 60;
const SEGMENT_COUNTS_SECONDS = 20;

/** The only code that starts or signals workflows. They are started by name: no floor above the workflows' own knows their code. */
export function createProcesses(client: Client): Processes {
  const soon = <T>(call: () => Promise<T>): Promise<T> => client.connection.withDeadline(Date.now() + DEADLINE_MS, call);
  const wakePump = async (workflow: string, workflowId: string, shard: number, summary: string): Promise<void> => {
    await soon(() =>
      client.workflow.signalWithStart(workflow, {
        workflowId,
        taskQueue: 'orchestration',
        args: [{ shard }],
        signal: wakeSignal,
        staticSummary: `${summary}, shard ${shard}`,
      }),
    );
  };
  return {
    wakeDelivery: (shard) => wakePump('deliveryPump', deliveryPumpId(shard), shard, 'Outgoing mail'),

    wakeFanOut: (shard) => wakePump('fanOutPump', fanOutPumpId(shard), shard, 'Events on their way'),

    wakeWebhooks: (shard) => wakePump('webhookPump', webhookPumpId(shard), shard, 'Webhook deliveries'),

    start: ({ workflow, workflowId, input, summary, attributes, again, signal }: StartIntent) => {
      const options = {
        workflowId,
        taskQueue: 'orchestration',
        args: [input],
        workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        staticSummary: summary,
        typedSearchAttributes: searchAttributesOf(attributes),
      } as const;
      return unless(WorkflowExecutionAlreadyStartedError, () =>
        soon(async () => {
          if (signal === undefined) await client.workflow.start(workflow, options);
          else await client.workflow.signalWithStart(workflow, { ...options, signal });
        }),
      );
    },

    signal: ({ workflowId, signal, id, input }: SignalIntent) =>
      unless(WorkflowNotFoundError, () => soon(() => client.workflow.getHandle(workflowId).signal(signal, { id, input }))),
  };
}

/** What was done before, or is of no use any more, is as good as done. */
async function unless(expected: new (...args: never[]) => Error, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof expected)) throw error;
  }
}

const repeat = (client: Client, scheduleId: string, seconds: number, workflowType: string): Promise<void> =>
  unless(ScheduleAlreadyRunning, () =>
    client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every: `${seconds} seconds` }] },
      action: { type: 'startWorkflow', workflowType, workflowId: scheduleId, taskQueue: 'orchestration' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    }),
  );

/** Makes the schedules that mend what crashes leave; those that exist are left alone. */
export async function ensureSchedules(client: Client): Promise<void> {
  await repeat(client, 'sweep', SWEEP_SECONDS, 'sweep');
  await unless(ScheduleAlreadyRunning, () =>
    client.schedule.create({
      scheduleId: 'contact-fields',
      spec: { intervals: [{ every: '1 day', offset: '3 hours' }] },
      action: { type: 'startWorkflow', workflowType: 'recountContactFields', workflowId: 'contact-fields', taskQueue: 'orchestration' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    }),
  );
  await repeat(client, 'segment-sweep', SEGMENT_SWEEP_SECONDS, 'segmentSweep');
  await repeat(client, 'segment-counts', SEGMENT_COUNTS_SECONDS, 'segmentCounts');
}
