import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { AutomationNudgeInput } from '../src/contracts/automation';
import { summarizedActivities } from './summarized';
import { isHistoryLong } from './turns';

const { nudgeExecutions } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 2_000;

/** Signals the executions of an automation, page by page, that something has changed for all of them. */
export async function automationNudge({ after = '', ...input }: AutomationNudgeInput & { readonly after?: string }): Promise<void> {
  for (let from: string | null = after, pages = 1; from !== null; pages++) {
    from = await nudgeExecutions({ ...input, after: from });
    setCurrentDetails(`${pages} pages of executions signalled`);
    if (from !== null && isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof automationNudge>({ ...input, after: from });
  }
}
