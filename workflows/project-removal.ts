import { continueAsNew, setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { projectRemovalProgressQuery } from '../src/contracts/project-removal';
import type { ProjectRemovalInput, ProjectRemovalProgress } from '../src/contracts/project-removal';
import { summarizedActivities } from './summarized';

/** Tried until it succeeds: a removal that waits for the database is better than half of one. */
const { removeProjectTurn } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 1_000;

/** Removes a project with everything, batch by batch. The progress is in its document. */
export async function projectRemoval(input: ProjectRemovalInput): Promise<void> {
  let progress: ProjectRemovalProgress | null = null;
  setHandler(projectRemovalProgressQuery, () => progress);
  for (;;) {
    progress = await removeProjectTurn({ ...input, now: Date.now() });
    setCurrentDetails(`${progress.status}: ${progress.removed} rows removed`);
    if (progress.status === 'completed') return;
    if (progress.waitMs > 0) await sleep(progress.waitMs, { summary: 'until work in progress has ended' });
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof projectRemoval>(input);
  }
}
