import { condition, continueAsNew, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { subscriptionChangedSignal } from '../src/contracts/subscription';
import type { SubscriptionInput } from '../src/contracts/subscription';
import { askProvider, isHistoryLong, orAway } from './provider-questions';

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
    const outlook = await orAway(askProvider.reconcileSubscription({ ...input, now: Date.now() }));
    if (outlook) {
      setCurrentDetails(`${outlook.status}; asks the provider ${new Date(Date.now() + outlook.waitMs).toISOString()}`);
      await condition(() => isChanged, outlook.waitMs, { summary: 'until the provider is asked again' });
      // It may have begun again meanwhile.
    } else if (!isChanged) return;
    if (isHistoryLong()) await continueAsNew<typeof subscription>(input);
  }
}
