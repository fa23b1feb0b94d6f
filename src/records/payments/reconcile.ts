import type { Core } from '../../platform/core';
import type { ProviderOutlook, ReconcileInput } from '../../contracts/payments';
import { dueAt, isOver, isRunning } from '../../rules/subscriptions';
import { ProviderError, connectProvider, paymentSettings } from './provider';
import type { Provider } from './provider';
import { applyReport, knownSubscription, recordCancellation, recordPeriodEnd } from './subscriptions';
import type { Subscription } from './subscriptions';

const HOUR_MS = 3_600_000;
/** Payments were switched off: whether they come back is asked so often. */
const OFF_MS = 24 * HOUR_MS;
/** The provider was asked and has nothing new, though it is time. */
const LATE_MS = HOUR_MS;

/**
 * Brings a subscription and the provider together as of the instant `now`: requests a wanted cancellation, reads the state when a billing
 * date has passed without a notification, and ends a cancelled one after its period. Null when it is over. Throws `ProviderError`.
 */
export async function reconcileSubscription(core: Core, { subscriptionId, now }: ReconcileInput): Promise<ProviderOutlook | null> {
  const known = await knownSubscription(subscriptionId);
  if (!known || isOver(known)) return null;
  const settings = paymentSettings(core.config);
  if (!settings) return { status: known.status, waitMs: OFF_MS };
  const provider = connectProvider(settings);
  if (known.cancelWantedAt) await cancel(core, provider, subscriptionId);
  const asked = await afresh(core, provider, subscriptionId, now);
  await recordPeriodEnd(core, subscriptionId, now);
  return outlookOf(await knownSubscription(subscriptionId), now, asked);
}

/** Cancels at the provider; one that refuses may have ended the subscription, or cancelled it already. */
async function cancel(core: Core, provider: Provider, subscriptionId: string): Promise<void> {
  try {
    await recordCancellation(core, subscriptionId, await provider.cancelAtNextBillingDate(subscriptionId));
  } catch (refusal) {
    if (!(refusal instanceof ProviderError) || refusal.kind === 'away') throw refusal;
    const report = await provider.readSubscription(subscriptionId);
    if (!report.cancelAtNextBillingDate && !isOver(report)) throw refusal;
    await applyReport(core, { subscriptionId, projectId: null, report }, null);
  }
}

/**
 * Reads the state of the subscription when that is due. Resolves to whether it did. The end of a cancelled one is known without the
 * provider, which may be unavailable then.
 */
async function afresh(core: Core, provider: Provider, subscriptionId: string, now: number): Promise<boolean> {
  const known = await knownSubscription(subscriptionId);
  const due = known && dueAt(known);
  if (!known || due === null || due > now) return false;
  try {
    const report = await provider.readSubscription(subscriptionId);
    await applyReport(core, { subscriptionId, projectId: null, report }, null);
  } catch (error) {
    if (!(error instanceof ProviderError) || !endsNow(known)) throw error;
    core.log.warn(
      { err: error, subscriptionId },
      'The payment provider did not answer about a cancelled subscription; it ends with its period',
    );
  }
  return true;
}

const endsNow = (known: Subscription): boolean => isRunning(known) && known.cancelAtNextBillingDate && known.nextBillingAt !== null;

function outlookOf(known: Subscription | null, now: number, asked: boolean): ProviderOutlook | null {
  const due = known && dueAt(known);
  if (!known || due === null) return null;
  return { status: known.status, waitMs: Math.max(due - now, asked ? LATE_MS : 0) };
}
