import { condition, continueAsNew, setCurrentDetails, setHandler, upsertMemo, workflowInfo } from '@temporalio/workflow';
import { wakeSignal, webhookRetriesQuery } from '../src/contracts/webhook';
import type { RetriesWaiting, WebhookKey } from '../src/contracts/webhook';
import { isWorthNoting } from '../src/contracts/due';
import { noteWait } from './due';
import { summarizedActivities } from './summarized';

/** Waits for an unavailable database. */
const { lookAtWebhookRetries } = summarizedActivities({
  taskQueue: 'pumps',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});

const HISTORY_LIMIT = 250;

/**
 * Keeps the time of an endpoint whose deliveries wait for another attempt: has the pump make each when it is due, and ends when none waits
 * any more, or the endpoint is off or deleted. The deliveries are in the database: a workflow that was lost begins again.
 */
export async function webhookRetry(key: WebhookKey): Promise<void> {
  let isWoken = false;
  let waiting: RetriesWaiting | null = null;
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  setHandler(webhookRetriesQuery, () => waiting);

  for (;;) {
    isWoken = false;
    const outlook = await lookAtWebhookRetries({ ...key, now: Date.now() });
    if (outlook) {
      waiting = outlook.waiting;
      setCurrentDetails(detailsOf(waiting));
      upsertMemo({ ...waiting });
      if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
      await condition(() => isWoken, Math.max(1, outlook.waitMs), { summary: 'until the next attempt is due' });
      // Something may have failed while nothing was found.
    } else if (!isWoken) return;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof webhookRetry>(key);
  }
}

const detailsOf = ({ deliveries, isMore, since, lastError, nextAttemptAt, pausedUntil }: RetriesWaiting): string =>
  [
    `${isMore ? 'More than ' : ''}${deliveries} ${deliveries === 1 ? 'delivery waits' : 'deliveries wait'} for another attempt`,
    `the oldest was made ${since}`,
    `last error: ${lastError ?? 'unknown'}`,
    `next attempt: ${nextAttemptAt ?? (pausedUntil ? 'when it may be called' : 'under way')}`,
    ...(pausedUntil ? [`it does not answer, and is left alone until ${pausedUntil}`] : []),
  ].join('; ');
