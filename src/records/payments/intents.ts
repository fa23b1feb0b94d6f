import { checkoutWorkflowId, subscriptionChangedSignal, subscriptionWorkflowId } from '../../contracts/payments';
import type { StartIntent } from '../../contracts/processes';
import type { Checkout, Subscription } from './model';

/** Returns the workflow that watches a subscription until it is over. */
export const subscriptionIntent = ({ _id, projectId }: Pick<Subscription, '_id' | 'projectId'>): StartIntent => ({
  kind: 'start',
  workflow: 'subscription',
  workflowId: subscriptionWorkflowId(_id),
  input: { subscriptionId: _id, projectId },
  summary: 'Paid subscription',
  attributes: { projectId },
  again: true,
});

/** Returns the same; one that runs checks its subscription at once. */
export const subscriptionChangedIntent = (subscription: Pick<Subscription, '_id' | 'projectId'>, cause: string): StartIntent => ({
  ...subscriptionIntent(subscription),
  signal: subscriptionChangedSignal.name,
  cause,
});

/** Returns the workflow that finds out the result of a checkout session. */
export const checkoutIntent = ({ _id, projectId }: Pick<Checkout, '_id' | 'projectId'>): StartIntent => ({
  kind: 'start',
  workflow: 'checkout',
  workflowId: checkoutWorkflowId(_id),
  input: { sessionId: _id, projectId },
  summary: 'Purchase of a paid plan',
  attributes: { projectId },
  again: true,
});
