import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { RetentionBatchInput } from '../src/contracts/retention';
import { summarizedActivities } from './summarized';

/** A run that fails is followed by the next one of its schedule. */
const { retentionTurn } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { maximumAttempts: 5 },
});

const HISTORY_LIMIT = 1_000;

/** Removes what is older than it is kept, batch by batch, until nothing is left. Run by a schedule. */
export async function retention(from: Pick<RetentionBatchInput, 'after'> = { after: null }): Promise<void> {
  let { after } = from;
  for (let removed = 0; ;) {
    const { counts, next } = await retentionTurn({ now: Date.now(), after });
    removed += Object.values(counts).reduce((sum, rows) => sum + rows, 0);
    setCurrentDetails(`${removed} rows and pages were removed or emptied`);
    if (!next) return;
    after = next.after;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof retention>({ after });
  }
}
