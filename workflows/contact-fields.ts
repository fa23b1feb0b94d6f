import { summarizedActivities } from './summarized';

const { recountContactFields: recount } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 minute', maximumInterval: '10 minutes', maximumAttempts: 5 },
});

/** Counts the custom fields of all projects again. Run by a schedule, once a day. */
export async function recountContactFields(): Promise<void> {
  await recount();
}
