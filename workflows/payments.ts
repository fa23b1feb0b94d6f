import { ActivityFailure, continueAsNew, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import type { CheckoutInput, SubscriptionInput, ProviderOutlook } from '../src/contracts/payments';
import { subscriptionChangedSignal } from '../src/contracts/payments';
import { summarizedActivities } from './summarized';
import { takeTurns } from './turns';

const MINUTE_MS = 60_000;
/** A provider that does not answer for this long is left alone for a while. */
const PATIENCE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 15 * MINUTE_MS;
/** A workflow that asks for years keeps a short history. */
const HISTORY_LIMIT = 250;

const { followCheckout, reconcileSubscription } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: PATIENCE_MS,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Manages a paid subscription until it is over: requests a wanted cancellation from the payment provider, ends it with its period, and asks
 * the provider if a notification is missing. Its state is in its document.
 */
export const subscription = (input: SubscriptionInput): Promise<void> =>
  takeTurns(
    {
      signals: [subscriptionChangedSignal],
      afresh: () => continueAsNew<typeof subscription>(input),
      mostEvents: HISTORY_LIMIT,
    },
    () => ask(() => reconcileSubscription({ ...input, now: Date.now() })),
  );

/**
 * Finds out the result of a checkout session, in case the notification that its subscription began never comes: asks the payment provider,
 * at growing intervals, until the subscription is known here or the session is over. The time of the next question is in the session's
 * document.
 */
export const checkout = (input: CheckoutInput): Promise<void> =>
  takeTurns({ afresh: () => continueAsNew<typeof checkout>(input), mostEvents: HISTORY_LIMIT }, () =>
    ask(() => followCheckout({ ...input, now: Date.now() })),
  );

/** Asks the provider. Resolves to the wait until the next question; null when there is none to ask. */
async function ask(question: () => Promise<ProviderOutlook | null>) {
  const outlook = await question().catch(orAway);
  if (!outlook) return null;
  setCurrentDetails(`${outlook.status}; asks the provider ${new Date(Date.now() + outlook.waitMs).toISOString()}`);
  return { ms: outlook.waitMs, summary: 'until the provider is asked again' };
}

/** Returns a later question when the provider is unavailable or refuses. */
function orAway(error: unknown): ProviderOutlook {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  return { status: 'the provider does not answer', waitMs: PAUSE_MS };
}
