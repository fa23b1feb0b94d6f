import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { subscriptionChangedSignal } from '../src/contracts/subscription';
import type { SubscriptionInput, SubscriptionOutlook } from '../src/contracts/subscription';

const MINUTE_MS = 60_000;
/** A provider that does not answer for so long is left alone for a while. */
const PATIENCE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 15 * MINUTE_MS;

const { reconcileSubscription } = proxyActivities<Activities>({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: PATIENCE_MS,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const HISTORY_LIMIT = 250;

/**
 * Looks after a paid subscription until it is over: has a wanted cancellation taken by the payment provider, ends it with its period, and asks the provider
 * where a notification did not come. How it stands is in its document.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  let isChanged = false;
  setHandler(subscriptionChangedSignal, () => {
    isChanged = true;
  });

  for (;;) {
    isChanged = false;
    const outlook = await reconcile(input);
    if (outlook) {
      setCurrentDetails(`${outlook.status}; asks the provider ${new Date(Date.now() + outlook.waitMs).toISOString()}`);
      await condition(() => isChanged, outlook.waitMs);
      // It may have begun again meanwhile.
    } else if (!isChanged) return;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof subscription>(input);
  }
}

async function reconcile(input: SubscriptionInput): Promise<SubscriptionOutlook | null> {
  try {
    return await reconcileSubscription({ ...input, now: Date.now() });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { status: 'the provider does not answer', waitMs: PAUSE_MS };
  }
}
