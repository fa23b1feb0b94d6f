import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { isWorthNoting } from '../src/contracts/due';
import { askedSignal } from '../src/contracts/opt-in';
import type { OptInInput, OptInOutlook } from '../src/contracts/opt-in';
import { noteWait } from './due';
import { summarizedActivities } from './summarized';

/** A database that is away is waited for. */
const { optInTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 250;

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
export async function optIn(input: OptInInput): Promise<void> {
  let isAsked = false;
  setHandler(askedSignal, () => {
    isAsked = true;
  });
  for (;;) {
    isAsked = false;
    const outlook = await optInTurn({ ...input, now: Date.now() });
    if (outlook) {
      setCurrentDetails(detailsOf(outlook));
      if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
      await condition(() => isAsked, Math.max(1, outlook.waitMs), { summary: 'until a message is due, or the time to confirm is over' });
      // It may have been asked for again while nothing was found.
    } else if (!isAsked) return;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof optIn>(input);
  }
}

const detailsOf = ({ status, mails, waitMs }: OptInOutlook): string =>
  `${status}; ${mails} ${mails === 1 ? 'confirmation' : 'confirmations'} sent; looks again ${new Date(Date.now() + waitMs).toISOString()}`;
