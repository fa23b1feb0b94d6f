export { openCheckout, followCheckout } from './checkout';
export { restartForgotten } from './forgotten';
export type { Subscription } from './model';
export { takeNotification } from './notifications';
export { ProviderError, paymentSettings } from './provider';
export { reconcileSubscription } from './reconcile';
export type { PaymentsConfig } from './provider';
export { currentSubscription, downgrade, hasLiveSubscription } from './subscriptions';
