import { z } from 'zod';
import { httpUrl } from './setting-kinds';

/** The form of Standard Webhooks (specification, Signature scheme). */
const signingSecret = z.string().regex(/^(whsec_)?(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');

/** Settings of the payment provider. */
export const paymentSettings = {
  PAYMENTS_API_URL: httpUrl.optional().describe("payment provider's API; payments are off without it (docs/billing.md)"),
  PAYMENTS_API_KEY: z.string().min(1).optional().describe('its key'),
  PAYMENTS_WEBHOOK_SECRET: signingSecret.optional().describe('base64 secret of its notifications, with or without whsec_'),
  PAYMENTS_PRODUCT_STARTER: z.string().min(1).optional().describe('its product for plan starter'),
  PAYMENTS_PRODUCT_GROWTH: z.string().min(1).optional().describe('its product for plan growth'),
  PAYMENTS_ENV: z.enum(['test_mode', 'live_mode']).default('test_mode').describe('payment environment, as GET /v1/billing shows it'),
};

/** All of these, or none. */
const PAYMENT_KEYS = [
  'PAYMENTS_API_URL',
  'PAYMENTS_API_KEY',
  'PAYMENTS_WEBHOOK_SECRET',
  'PAYMENTS_PRODUCT_STARTER',
  'PAYMENTS_PRODUCT_GROWTH',
] as const;

type Given = Readonly<Partial<Record<(typeof PAYMENT_KEYS)[number], string | undefined>>>;

/** Returns why payments cannot be taken with what is given of their settings; null when they can, or are off. */
export function paymentsFault(config: Given): string | null {
  const missing = PAYMENT_KEYS.filter((key) => config[key] === undefined);
  if (missing.length === PAYMENT_KEYS.length) return null;
  if (missing.length > 0) return `Payments are set up in part: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return config.PAYMENTS_PRODUCT_STARTER === config.PAYMENTS_PRODUCT_GROWTH
    ? 'PAYMENTS_PRODUCT_STARTER and PAYMENTS_PRODUCT_GROWTH must be two products'
    : null;
}
