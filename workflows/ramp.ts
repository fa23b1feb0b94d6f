import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { RampInput, RampOutlook } from '../src/contracts/ramp';
import { noteWait } from './search-attributes';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

/** A database that is away is waited for. */
const { rampTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const WHY = { refused: ': as the day before, as providers refused too much', unused: ': as the day before, as nothing was sent' } as const;

/**
 * Moves the ramp of a transport on at the beginning of each day, until its last amount is past. Its state and its counts are documents, which each worker reads.
 *
 * | killed                            | found                           | happens                                                         |
 * |-----------------------------------|---------------------------------|-----------------------------------------------------------------|
 * | the worker, during the wait       | the timer, in the history       | it fires; until then the new day has the amount of the day before |
 * | the worker, before it has moved   | the day before                  | the activity is made again                                      |
 * | the worker, after it              | the day, with its amount        | the activity finds it moved                                     |
 * | this workflow, by hand            | a day that is past              | the sweep starts another one                                    |
 */
export const ramp = (input: RampInput): Promise<void> =>
  takeTurns({ afresh: () => continueAsNew<typeof ramp>(input), mostEvents: 500 }, async () => {
    const outlook = await rampTurn({ ...input, now: Date.now() });
    if (outlook.nextAt === null) return null;
    const ms = Math.max(1, Date.parse(outlook.nextAt) - Date.now());
    setCurrentDetails(detailsOf(outlook));
    noteWait(ms);
    return { ms, summary: 'until the next day' };
  });

const detailsOf = ({ step, amount, heldBack }: RampOutlook): string =>
  `step ${step}, ${amount} messages until the next day${heldBack === null ? '' : WHY[heldBack]}`;
