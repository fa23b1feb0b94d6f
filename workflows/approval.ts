import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { decidedSignal } from '../src/contracts/approval';
import type { ApprovalInput } from '../src/contracts/approval';
import { noteWait } from './search-attributes';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

/** A database that is away is waited for. */
const { approvalTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Waits for a person's decision on what was requested, or for the end of its time, and carries out what was approved. Its state is in its document; a decision
 * is written there, and the signal only ends the wait.
 *
 * | killed                                  | found                                        | happens                                            |
 * |-----------------------------------------|----------------------------------------------|----------------------------------------------------|
 * | the API, before the commit              | the approval as it was                       | the caller asks again                              |
 * | the API, after it                       | the decision, its intent in the outbox       | the sweep starts or signals the workflow           |
 * | the worker, before it carried it out    | `approved`                                   | another worker checks again                        |
 * | the worker, after it                    | `executed`, written in the same transaction  | the check finds nothing to do                       |
 * | this workflow, by hand                  | the approval                                 | the sweep starts another one, which continues      |
 */
export const approval = (input: ApprovalInput): Promise<void> =>
  takeTurns({ signals: [decidedSignal], afresh: () => continueAsNew<typeof approval>(input) }, async () => {
    const { state, waitMs } = await approvalTurn({ ...input, now: Date.now() });
    setCurrentDetails(waitMs === null ? state : `${state} until ${new Date(Date.now() + waitMs).toISOString()}`);
    if (waitMs === null) return null;
    noteWait(waitMs);
    return { ms: waitMs, summary: 'until a person decides, or the time is over' };
  });
