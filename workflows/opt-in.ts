import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { isWorthNoting } from '../src/contracts/due';
import { askedSignal } from '../src/contracts/opt-in';
import type { OptInInput, OptInOutlook } from '../src/contracts/opt-in';
import { noteWait } from './search-attributes';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

/** A database that is away is waited for. */
const { optInTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Keeps the time of an opt-in that waits for its confirmation: has the confirmation sent, the reminder after a day, and the row removed after seven. Its state
 * is in its document; a confirmation is written there, and needs no signal.
 *
 * | killed                             | found                                     | happens                                             |
 * |------------------------------------|-------------------------------------------|-----------------------------------------------------|
 * | the API, before the commit         | nothing                                   | the person asks again                               |
 * | the API, after it                  | the row, its start in the outbox          | the sweep starts the workflow                       |
 * | the worker, before mail is stored  | the row, its mail due                     | another worker checks again                         |
 * | the worker, after it               | the row, its mail noted as sent           | the check finds nothing due                          |
 * | this workflow, by hand             | the row                                   | the sweep starts another one, which continues       |
 */
export const optIn = (input: OptInInput): Promise<void> =>
  takeTurns({ signals: [askedSignal], afresh: () => continueAsNew<typeof optIn>(input), mostEvents: 250 }, async () => {
    const outlook = await optInTurn({ ...input, now: Date.now() });
    if (!outlook) return null;
    setCurrentDetails(detailsOf(outlook));
    if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
    return { ms: outlook.waitMs, summary: 'until a message is due, or the time to confirm is over' };
  });

const detailsOf = ({ status, mails, waitMs }: OptInOutlook): string =>
  `${status}; ${mails} ${mails === 1 ? 'confirmation' : 'confirmations'} sent; looks again ${new Date(Date.now() + waitMs).toISOString()}`;
