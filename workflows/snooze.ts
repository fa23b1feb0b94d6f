import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { snoozeChangedSignal } from '../src/contracts/snooze';
import type { SnoozeInput } from '../src/contracts/snooze';
import { noteWait } from './search-attributes';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

const { endSnooze } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Ends the pause of a contact at its time. Until when it lasts is in the contact, by which every message is checked: a pause ends for mail at that instant,
 * and here it is taken out of the contact and made known.
 *
 * | killed                        | found                              | happens                                                       |
 * |-------------------------------|------------------------------------|---------------------------------------------------------------|
 * | the API, after its commit     | the intent in the outbox           | the sweep starts or signals this workflow                     |
 * | the worker, during the wait   | the timer, in the history          | it fires; where it is late, mail has been sent again already  |
 * | the worker, after it stored   | a contact without a pause          | nothing: the event was stored with it                         |
 * | this workflow, by hand        | a contact that is still paused     | the sweep of what lasts starts another one                    |
 */
export const snooze = (input: SnoozeInput): Promise<void> =>
  takeTurns({ signals: [snoozeChangedSignal], afresh: () => continueAsNew<typeof snooze>(input) }, async () => {
    const until = await endSnooze({ ...input, now: Date.now() });
    if (until === null) return null;
    const ms = Math.max(1, Date.parse(until) - Date.now());
    setCurrentDetails(`paused until ${until}`);
    noteWait(ms);
    return { ms, summary: 'until the pause ends' };
  });
