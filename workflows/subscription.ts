import { condition, continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { subscriptionChangedSignal } from '../src/contracts/subscription';
import type { SubscriptionInput } from '../src/contracts/subscription';
import { askProvider, isHistoryLong, orAway } from './provider-questions';

/**
 * Manages a paid subscription until it is over: requests a wanted cancellation from the payment provider, ends it with its period, and asks
 * the provider if a notification is missing. Its state is in its document.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  let isChanged = false;
  setHandler(subscriptionChangedSignal, () => {
    isChanged = true;
  });

  for (;;) {
    isChanged = false;
    const outlook = await orAway(askProvider.reconcileSubscription({ ...input, now: Date.now() }));
    if (outlook) {
      setCurrentDetails(`${outlook.status}; asks the provider ${new Date(Date.now() + outlook.waitMs).toISOString()}`);
      await condition(() => isChanged, outlook.waitMs, { summary: 'until the provider is asked again' });
      // It may have begun again meanwhile.
    } else if (!isChanged) return;
    if (isHistoryLong()) await continueAsNew<typeof subscription>(input);
  }
}
