import type { Context } from '../../platform/core';
import { AppError, invalidState } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { firstQuestionAt } from '../../rules/checkouts';
import type { PaidPlan } from '../../rules/subscriptions';
import { isRenewing } from '../../rules/subscriptions';
import { checkoutIntent } from './intents';
import { CheckoutModel } from './model';
import type { Checkout } from './model';
import { ProviderError, connectProvider } from './provider';
import type { CheckoutSession, Provider } from './provider';
import { paymentSettings } from './settings';
import { subscriptionsOf } from './subscriptions';

const AGAIN_SECONDS = '30';

/**
 * Begins the purchase of a plan at the payment provider. The subscription begins with the provider's notification; if none comes, a
 * workflow asks for the session's result. A session that cannot be recorded is not returned: unpaid, it expires. Throws
 * `payments_disabled`, `invalid_state` when the project has the plan and would pay twice, and `unavailable` when the provider does not
 * answer, or refuses.
 */
export async function openCheckout(
  { core, projectId }: Context,
  plan: PaidPlan,
  returnUrl: string | null,
): Promise<Omit<CheckoutSession, 'openedAt'>> {
  const settings = paymentSettings(core.config);
  if (!settings) throw new AppError('payments_disabled', 'Payments are not enabled on this installation');
  const subscriptions = await subscriptionsOf(projectId);
  if (subscriptions.some((each) => each.plan === plan && isRenewing(each)))
    throw invalidState(`The project already has a subscription to ${plan}`);
  const { openedAt, ...session } = await opened(connectProvider(settings), plan, projectId, returnUrl);
  const dueAt = new Date(firstQuestionAt(openedAt.getTime()));
  const row: Checkout = { _id: session.sessionId, projectId, plan, openedAt, dueAt };
  await inTransaction(async (transaction) => {
    await CheckoutModel.create([row], { session: transaction });
    await wantNow(transaction, core, [checkoutIntent(row)]);
  });
  return session;
}

async function opened(provider: Provider, ...purchase: Parameters<Provider['openCheckout']>): Promise<CheckoutSession> {
  try {
    return await provider.openCheckout(...purchase);
  } catch (error) {
    throw error instanceof ProviderError ? noCheckout(error) : error;
  }
}

// The provider's words are only for the operator's log.
const noCheckout = (cause: ProviderError): AppError =>
  cause.kind === 'away'
    ? new AppError('unavailable', 'The payment provider does not answer; nothing was started, try again', [], {
        cause,
        headers: { 'Retry-After': AGAIN_SECONDS },
      })
    : new AppError(
        'unavailable',
        'The payment provider refused the purchase; nothing was started, and the operator must look into it',
        [],
        {
          cause,
        },
      );
