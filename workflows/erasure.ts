import { continueAsNew, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { erasureProgressQuery } from '../src/contracts/erasure';
import type { ErasureInput, ErasureProgress } from '../src/contracts/erasure';
import { summarizedActivities } from './summarized';

/** Tried until it succeeds: an erasure that waits for the database is better than none. */
const { eraseTurn } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 1_000;

/**
 * Erases the data of deleted contacts, batch by batch. Its document holds the progress and the persons: the workflow has only ids and counts.
 */
export async function erasure(input: ErasureInput): Promise<void> {
  let progress: ErasureProgress | null = null;
  setHandler(erasureProgressQuery, () => progress);
  for (;;) {
    progress = await eraseTurn({ ...input, now: Date.now() });
    setCurrentDetails(detailsOf(progress));
    if (progress.status === 'completed') return;
    if (progress.waitMs > 0) await sleep(progress.waitMs, { summary: 'until work in progress has ended' });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof erasure>(input);
  }
}

function detailsOf({ status, contacts, erased, open }: ErasureProgress): string {
  const done = `${status}: ${erased} rows erased for ${contacts} deleted contact${contacts === 1 ? '' : 's'}`;
  return open > 0 ? `${done}; ${open} messages and events are on their way` : done;
}
