import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { decidedSignal } from '../src/contracts/approval';
import type { ApprovalInput } from '../src/contracts/approval';
import { noteWait } from './due';
import { summarizedActivities } from './summarized';

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
export async function approval(input: ApprovalInput): Promise<void> {
  let isDecided = false;
  setHandler(decidedSignal, () => {
    isDecided = true;
  });
  for (;;) {
    isDecided = false;
    const { state, waitMs } = await approvalTurn({ ...input, now: Date.now() });
    setCurrentDetails(waitMs === null ? state : `${state} until ${new Date(Date.now() + waitMs).toISOString()}`);
    // It may have been decided during the check.
    if (waitMs === null && !isDecided) return;
    if (waitMs !== null) {
      noteWait(waitMs);
      await condition(() => isDecided, Math.max(1, waitMs), { summary: 'until a person decides, or the time is over' });
    }
  }
}
