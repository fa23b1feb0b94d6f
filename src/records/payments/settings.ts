import type { Config } from '../../platform/config';
import type { PaidPlan } from '../../rules/subscriptions';

export type PaymentsConfig = Pick<
  Config,
  'PAYMENTS_API_URL' | 'PAYMENTS_API_KEY' | 'PAYMENTS_WEBHOOK_SECRET' | 'PAYMENTS_PRODUCT_STARTER' | 'PAYMENTS_PRODUCT_GROWTH'
>;

/** The connection to the payment provider, and the products. */
export interface PaymentSettings {
  readonly url: string;
  readonly key: string;
  readonly webhookSecret: string;
  /** The provider's product ids. */
  readonly products: Readonly<Record<PaidPlan, string>>;
}

/** Returns the settings of an installation that takes payments; null of one that does not. The configuration has all of them or none. */
export function paymentSettings(config: PaymentsConfig): PaymentSettings | null {
  const {
    PAYMENTS_API_URL: url,
    PAYMENTS_API_KEY: key,
    PAYMENTS_WEBHOOK_SECRET: webhookSecret,
    PAYMENTS_PRODUCT_STARTER: starter,
    PAYMENTS_PRODUCT_GROWTH: growth,
  } = config;
  if (!url || !key || !webhookSecret || !starter || !growth) return null;
  return { url, key, webhookSecret, products: { starter, growth } };
}
