import type { Context } from '../context';
import { AppError, invalidState } from '../errors';
import type { PaidPlan } from '../rules/subscriptions';
import { isRenewing } from '../rules/subscriptions';
import { ProviderError, connectProvider } from './provider';
import type { CheckoutSession } from './provider';
import { paymentSettings } from './settings';
import { subscriptionsOf } from './subscriptions';

const AGAIN_SECONDS = '30';

/**
 * Begins the purchase of a plan at the payment provider. Nothing is stored: the subscription begins with the provider's notification, and a session that is not
 * paid ends by itself. Throws `payments_disabled`, `invalid_state` when the project has the plan and would pay twice, and `unavailable` when the provider
 * does not answer, or refuses.
 */
export async function openCheckout({ core, projectId }: Context, plan: PaidPlan, returnUrl: string | null): Promise<CheckoutSession> {
  const settings = paymentSettings(core.config);
  if (!settings) throw new AppError('payments_disabled', 'This installation takes no payments');
  const subscriptions = await subscriptionsOf(projectId);
  if (subscriptions.some((each) => each.plan === plan && isRenewing(each))) throw invalidState(`A subscription to ${plan} runs already`);
  try {
    return await connectProvider(settings).openCheckout(plan, projectId, returnUrl);
  } catch (error) {
    throw error instanceof ProviderError ? noCheckout(error) : error;
  }
}

/** What the provider said is for the operator's log alone. */
const noCheckout = (cause: ProviderError): AppError =>
  cause.kind === 'away'
    ? new AppError('unavailable', 'The payment provider does not answer; nothing was begun, try again', [], {
        cause,
        headers: { 'Retry-After': AGAIN_SECONDS },
      })
    : new AppError(
        'unavailable',
        'The payment provider refused to begin the purchase; nothing was begun, and the operator must look into it',
        [],
        {
          cause,
        },
      );
