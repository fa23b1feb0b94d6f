import { ApplicationFailure } from '@temporalio/activity';
import type { Core } from '../src/platform/core';
import type { FollowCheckoutInput, ReconcileInput, ProviderOutlook } from '../src/contracts/payments';
import { ProviderError, followCheckout, reconcileSubscription, restartForgotten } from '../src/records/payments';

export const paymentActivities = (core: Core) => {
  /** Asks the provider. Does not retry refusals: the workflow asks again later. */
  async function asking<T>(about: object, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
      core.log.error({ err: error, ...about }, 'The payment provider refuses a request; an operator must act');
      throw ApplicationFailure.nonRetryable(error.message, error.name);
    }
  }

  return {
    /**
     * Brings a subscription in line with the payment provider. Safe to retry: what the provider is asked for, and what is stored of its
     * answers, is the same a second time. Null when the subscription is over.
     */
    reconcileSubscription: (input: ReconcileInput): Promise<ProviderOutlook | null> =>
      asking({ subscriptionId: input.subscriptionId }, () => reconcileSubscription(core, input)),

    /**
     * Asks the payment provider about a checkout session. Safe to retry: what is known already is not applied a second time. Null when
     * there is no more to find out.
     */
    followCheckout: (input: FollowCheckoutInput): Promise<ProviderOutlook | null> =>
      asking({ sessionId: input.sessionId }, () => followCheckout(core, input)),

    /** Watches checkout sessions as well. Safe to retry: a workflow that runs already is not started again. */
    sweepSubscriptions: (): Promise<number> => restartForgotten(core, new Date()),
  };
};
