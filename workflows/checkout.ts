import { continueAsNew, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { CheckoutInput } from '../src/contracts/checkout';
import { askProvider, isHistoryLong, orAway } from './provider-questions';

/**
 * Finds out the result of a checkout session, in case the notification that its subscription began never comes: asks the payment provider,
 * at growing intervals, until the subscription is known here or the session is over. The time of the next question is in the session's
 * document.
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
