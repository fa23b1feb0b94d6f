import { ApplicationFailure } from '@temporalio/activity';
import type { Core } from '../src/context';
import type { ReconcileInput, SubscriptionOutlook } from '../src/contracts/subscription';
import { ProviderError } from '../src/payments/provider';
import { reconcileSubscription } from '../src/payments/reconcile';
import { restartForgottenSubscriptions } from '../src/payments/subscriptions';

export const paymentActivities = (core: Core) => ({
  /** Safe to retry: what the provider is asked for, and what is stored of its answers, is the same a second time. Null when the subscription is over. */
  async reconcileSubscription(input: ReconcileInput): Promise<SubscriptionOutlook | null> {
    try {
      return await reconcileSubscription(core, input);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
      core.log.error({ err: error, subscriptionId: input.subscriptionId }, 'The payment provider refuses; the operator must look into it');
      throw ApplicationFailure.nonRetryable(error.message, error.name);
    }
  },

  /** Safe to retry: a workflow that runs already is not started again. */
  sweepSubscriptions: (): Promise<number> => restartForgottenSubscriptions(core, new Date()),
});
