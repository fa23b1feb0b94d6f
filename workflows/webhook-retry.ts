import { continueAsNew, setCurrentDetails, setHandler, upsertMemo } from '@temporalio/workflow';
import { wakeSignal, webhookRetriesQuery } from '../src/contracts/webhook';
import type { RetriesWaiting, WebhookKey } from '../src/contracts/webhook';
import { isWorthNoting } from '../src/contracts/due';
import { noteWait } from './search-attributes';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

/** Waits for an unavailable database. */
const { lookAtWebhookRetries } = summarizedActivities({
  taskQueue: 'pumps',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});

/**
 * Keeps the time of an endpoint whose deliveries wait for another attempt: has the pump make each when it is due, and ends when none waits
 * any more, or the endpoint is off or deleted. The deliveries are in the database: a workflow that was lost begins again.
 */
export async function webhookRetry(key: WebhookKey): Promise<void> {
  let waiting: RetriesWaiting | null = null;
  setHandler(webhookRetriesQuery, () => waiting);
  await takeTurns({ signals: [wakeSignal], afresh: () => continueAsNew<typeof webhookRetry>(key), mostEvents: 250 }, async () => {
    const outlook = await lookAtWebhookRetries({ ...key, now: Date.now() });
    if (!outlook) return null;
    waiting = outlook.waiting;
    setCurrentDetails(detailsOf(waiting));
    upsertMemo({ ...waiting });
    if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
    return { ms: outlook.waitMs, summary: 'until the next attempt is due' };
  });
}

const detailsOf = ({ deliveries, isMore, since, lastError, nextAttemptAt, pausedUntil }: RetriesWaiting): string =>
  [
    `${isMore ? 'More than ' : ''}${deliveries} ${deliveries === 1 ? 'delivery waits' : 'deliveries wait'} for another attempt`,
    `the oldest was made ${since}`,
    `last error: ${lastError ?? 'unknown'}`,
    `next attempt: ${nextAttemptAt ?? (pausedUntil ? 'when it may be called' : 'under way')}`,
    ...(pausedUntil ? [`it does not answer, and is left alone until ${pausedUntil}`] : []),
  ].join('; ');
