import { continueAsNew, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { CheckoutInput } from '../src/contracts/checkout';
import { askProvider, isHistoryLong, orAway } from './provider-questions';

/**
 * Finds out what becomes of a checkout session, in case the notification that its subscription began never comes: asks the payment provider, ever more seldom,
 * until the subscription is known here or the session is over. When it is to be asked is in the session's document.
 */
export async function checkout(input: CheckoutInput): Promise<void> {
  for (;;) {
    const outlook = await orAway(askProvider.followCheckout({ ...input, now: Date.now() }));
    if (!outlook) return;
    setCurrentDetails(`${outlook.status}; asks the provider ${new Date(Date.now() + outlook.waitMs).toISOString()}`);
    await sleep(outlook.waitMs, { summary: 'until the provider is asked again' });
    if (isHistoryLong()) await continueAsNew<typeof checkout>(input);
  }
}
