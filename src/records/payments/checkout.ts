import type { Context, Core } from '../../platform/core';
import { AppError, invalidState } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { firstQuestionAt, nextQuestionAt } from '../../rules/checkouts';
import type { PaidPlan } from '../../rules/subscriptions';
import { isRenewing } from '../../rules/subscriptions';
import { checkoutIntent } from './intents';
import { CheckoutModel } from './model';
import type { Checkout } from './model';
import { ProviderError, connectProvider, paymentSettings } from './provider';
import type { CheckoutSession, Provider, Purchase } from './provider';
import { subscriptionsOf, applyFinding, knownSubscription } from './subscriptions';
import type { FollowCheckoutInput, ProviderOutlook } from '../../contracts/payments';

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

/** Payments were switched off: whether they come back is asked so often. */
const OFF_MS = 24 * 3_600_000;

/**
 * Finds out, once it is time, what has become of a checkout session as of the instant `now`. A subscription that came of it and is not known here, because
 * no notification has come, is applied as the provider shows it. Null when there is no more to find out. Throws `ProviderError`.
 */
export async function followCheckout(core: Core, { sessionId, now }: FollowCheckoutInput): Promise<ProviderOutlook | null> {
  const row = await CheckoutModel.findById(sessionId).lean<Checkout>();
  if (!row) return null;
  const settings = paymentSettings(core.config);
  if (!settings) return { status: 'payments are off', waitMs: OFF_MS };
  if (row.dueAt.getTime() > now) return { status: 'opened', waitMs: row.dueAt.getTime() - now };
  const provider = connectProvider(settings);
  const purchase = await provider.readPurchase(sessionId);
  const isFound = await isKnown(core, provider, row, purchase);
  const due = isFound ? null : nextQuestionAt(row.openedAt.getTime(), now, purchase.status);
  if (due === null) {
    if (!isFound && purchase.status !== 'unpaid') {
      core.log.error(
        { sessionId, status: purchase.status },
        'A checkout session ended without a subscription; the operator must look into it',
      );
    }
    await CheckoutModel.deleteOne({ _id: sessionId });
    return null;
  }
  await CheckoutModel.updateOne({ _id: sessionId }, { $set: { dueAt: new Date(due) } });
  return { status: purchase.status, waitMs: due - now };
}

/** Resolves to whether the subscription that came of the session is known here, now at the latest. One that waits for its payment is asked about again. */
async function isKnown(
  core: Core,
  provider: Provider,
  { _id: sessionId, projectId }: Checkout,
  { subscriptionId }: Purchase,
): Promise<boolean> {
  if (subscriptionId === null) return false;
  const known = await knownSubscription(subscriptionId);
  if (known && known.status !== 'pending') return true;
  const report = await provider.readSubscription(subscriptionId);
  if (report.status === 'pending') return false;
  const outcome = await applyFinding(core, { subscriptionId, projectId, report });
  core.log.warn(
    { sessionId, subscriptionId, outcome },
    'A subscription was found by asking the provider: its notification has not arrived',
  );
  return true;
}
