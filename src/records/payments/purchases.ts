import type { Core } from '../../platform/core';
import type { FollowCheckoutInput, ProviderOutlook } from '../../contracts/payments';
import { nextQuestionAt } from '../../rules/checkouts';
import { CheckoutModel } from './model';
import type { Checkout } from './model';
import { connectProvider } from './provider';
import type { Provider, Purchase } from './provider';
import { paymentSettings } from './settings';
import { applyFinding, knownSubscription } from './subscriptions';

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
