import type { Core } from '../../platform/core';
import type { StartIntent } from '../../contracts/processes';
import { mayRemind, startNow } from '../../platform/outbox';
import { checkoutIntent, subscriptionChangedIntent, subscriptionIntent } from './intents';
import { CheckoutModel, SubscriptionModel } from './model';
import type { Checkout, Subscription } from './model';
import { paymentSettings } from './provider';

/** A question to the provider that is so late has no workflow that asks it: it ended by hand, or Temporal lost it. */
const FORGOTTEN_MS = 6 * 3_600_000;
const PAGE = 100;

/** Starts the workflows of subscriptions and checkout sessions that the provider was to be asked about long ago, while payments are on. Resolves to how many. */
export async function restartForgotten(core: Core, now: Date): Promise<number> {
  if (!paymentSettings(core.config)) return 0;
  const late = { dueAt: { $lt: new Date(now.getTime() - FORGOTTEN_MS) } };
  const oldest = [{ projectId: 1 }, { sort: { dueAt: 1 }, limit: PAGE }] as const;
  const subscriptions = await SubscriptionModel.find(late, ...oldest).lean<Subscription[]>();
  const checkouts = await CheckoutModel.find(late, ...oldest).lean<Checkout[]>();
  startNow(core, [...subscriptions.map((row) => intentOf(core, row)), ...checkouts.map(checkoutIntent)]);
  return subscriptions.length + checkouts.length;
}

// One that runs, and waits for something else, asks now.
const intentOf = (core: Core, row: Subscription): StartIntent =>
  mayRemind(core, row._id) ? subscriptionChangedIntent(row, 'late') : subscriptionIntent(row);
