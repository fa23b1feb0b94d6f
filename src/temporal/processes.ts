import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { deliveryPumpId, wakeSignal } from '../contracts/delivery';
import type { Processes } from '../contracts/processes';
import type { ScheduledSendInput } from '../contracts/scheduled-send';

const DEADLINE_MS = 5_000;
const SWEEP_SECONDS = 10;

/** The only code that starts or signals workflows. They are started by name: no floor above the workflows' own knows their code. */
export function createProcesses(client: Client): Processes {
  const soon = <T>(call: () => Promise<T>): Promise<T> => client.connection.withDeadline(Date.now() + DEADLINE_MS, call);
  return {
    async wakeDelivery(shard: number): Promise<void> {
      await soon(() =>
        client.workflow.signalWithStart('deliveryPump', {
          workflowId: deliveryPumpId(shard),
          taskQueue: 'orchestration',
          args: [{ shard }],
          signal: wakeSignal,
          staticSummary: `Outgoing mail, shard ${shard}`,
        }),
      );
    },

    async startScheduledSend(workflowId: string, input: ScheduledSendInput): Promise<void> {
      await once(() =>
        soon(() =>
          client.workflow.start('scheduledSend', {
            workflowId,
            taskQueue: 'orchestration',
            args: [input],
            workflowIdReusePolicy: 'REJECT_DUPLICATE',
            staticSummary: `Goes out at ${input.sendAt}`,
          }),
        ),
      );
    },
  };
}

/** A workflow that was started before is as good as started now. */
async function once(start: () => Promise<unknown>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Makes the schedules that mend what crashes leave; those that exist are left alone. */
export async function ensureSchedules(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: 'sweep',
      spec: { intervals: [{ every: `${SWEEP_SECONDS} seconds` }] },
      action: { type: 'startWorkflow', workflowType: 'sweep', workflowId: 'sweep', taskQueue: 'orchestration' },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
