import type { ScheduledSendInput } from './scheduled-send';

/** The port through which the core starts and wakes workflows. Each call is idempotent; a failure is mended by a sweep. */
export interface Processes {
  /** Makes the pump of the shard look for due mail now. */
  wakeDelivery(shard: number): Promise<void>;
  /** Starts the workflow of that id unless it was started before. */
  startScheduledSend(workflowId: string, input: ScheduledSendInput): Promise<void>;
}
