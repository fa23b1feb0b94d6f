import type { StartIntent } from '../contracts/processes';
import { subscriptionChangedSignal, subscriptionWorkflowId } from '../contracts/subscription';
import type { Subscription } from './model';

/** The workflow that looks after a subscription until it is over. */
export const subscriptionIntent = ({ _id, projectId }: Pick<Subscription, '_id' | 'projectId'>): StartIntent => ({
  kind: 'start',
  workflow: 'subscription',
  workflowId: subscriptionWorkflowId(_id),
  input: { subscriptionId: _id, projectId },
  summary: 'Paid subscription',
  attributes: { projectId },
  again: true,
});

/** The same; one that runs looks at its subscription at once. */
export const subscriptionChangedIntent = (subscription: Pick<Subscription, '_id' | 'projectId'>, cause: string): StartIntent => ({
  ...subscriptionIntent(subscription),
  signal: subscriptionChangedSignal.name,
  cause,
});
