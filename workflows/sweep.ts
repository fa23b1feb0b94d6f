import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities';

const { sweepOutbox, sweepDelivery, sweepReputation } = proxyActivities<Activities>({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 2 },
});

/** Mends what a crash between MongoDB and Temporal left: workflows that were wanted and mail that nobody was woken for. Run by a schedule. */
export async function sweep(): Promise<void> {
  await Promise.all([sweepOutbox(), sweepDelivery(), sweepReputation()]);
}
