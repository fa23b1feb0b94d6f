import DodoPayments, { APIError } from 'dodopayments';
import type { APIPromise } from 'dodopayments/core/api-promise';
import { purchaseStatus } from '../../rules/checkouts';
import type { PurchaseStatus } from '../../rules/checkouts';
import type { PaidPlan, SubscriptionReport } from '../../rules/subscriptions';
import { withinLimit } from '../../platform/async';
import { readPayment, readSession, readSubscription } from './report';
import type { Config } from '../../platform/config';

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

/** A call that takes longer has failed: a caller waits for it, or a workflow comes again. */
const ANSWER_MS = 10_000;
const EXPLANATION_LENGTH = 200;
const SECOND_MS = 1_000;

/** The provider did not do what it was asked. The message names its status and its own words, and nothing of a customer. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';

  constructor(
    /** `away`: it may do it later; `unknown`: it has no such thing; `refused`: it will not. */
    readonly kind: 'away' | 'unknown' | 'refused',
    message: string,
  ) {
    super(message);
  }
}

/** A page on which a plan can be paid. */
export interface CheckoutSession {
  readonly sessionId: string;
  readonly checkoutUrl: string;
  /** Opening by the provider's clock. */
  readonly openedAt: Date;
}

/** The result of a checkout session. */
export interface Purchase {
  readonly status: PurchaseStatus;
  /** The purchased subscription; null until it is paid. */
  readonly subscriptionId: string | null;
}

/** The platform's calls to the payment provider. Every call throws `ProviderError`; none is retried here. */
export interface Provider {
  /** Begins a purchase. The subscription that comes of it, and its notifications, name the project in their metadata. */
  openCheckout(plan: PaidPlan, projectId: string, returnUrl: string | null): Promise<CheckoutSession>;
  /** Resolves to what has become of the session. One that the provider does not know is not paid. */
  readPurchase(sessionId: string): Promise<Purchase>;
  /** Ends the subscription with the period that is paid for. Asked again, it stays so. Resolves to a moment of the second in which it was taken, the last one, by the provider's clock. */
  cancelAtNextBillingDate(subscriptionId: string): Promise<Date>;
  /** Resolves to the current state of the subscription. */
  readSubscription(subscriptionId: string): Promise<SubscriptionReport>;
}

/** Connects to the provider of the settings; a call that is not answered within `answerMs` fails. */
export function connectProvider(settings: PaymentSettings, answerMs: number = ANSWER_MS): Provider {
  const client = new DodoPayments({
    baseURL: settings.url,
    bearerToken: settings.key,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    fetchOptions: { redirect: 'error' },
  });
  const asking = <T>(call: (limits: { readonly signal: AbortSignal }) => APIPromise<T>) => answered(answerMs, call);
  return {
    async openCheckout(plan, projectId, returnUrl) {
      const cart = { product_cart: [{ product_id: settings.products[plan], quantity: 1 }], metadata: { projectId } };
      const { data, at } = await asking((limits) =>
        client.checkoutSessions.create({ ...cart, ...(returnUrl !== null && { return_url: returnUrl }) }, limits),
      );
      const { session_id: sessionId, checkout_url: checkoutUrl } = data;
      if (!sessionId || !checkoutUrl) throw new ProviderError('refused', 'The payment provider opened a session without an address');
      return { sessionId, checkoutUrl, openedAt: at };
    },

    async readPurchase(sessionId) {
      const session = await known(asking((limits) => client.checkoutSessions.retrieve(sessionId, limits)));
      const { payment_id: paymentId, payment_status: payment } = readSession(session?.data ?? {});
      const status = purchaseStatus(payment ?? null);
      if (status !== 'paid' || !paymentId) return { status, subscriptionId: null };
      const { data } = await asking((limits) => client.payments.retrieve(paymentId, limits));
      return { status, subscriptionId: readPayment(data).subscription_id ?? null };
    },

    async cancelAtNextBillingDate(subscriptionId) {
      const { at } = await asking((limits) => client.subscriptions.update(subscriptionId, { cancel_at_next_billing_date: true }, limits));
      return new Date(at.getTime() + SECOND_MS - 1);
    },

    async readSubscription(subscriptionId) {
      const { data, at } = await asking((limits) => client.subscriptions.retrieve(subscriptionId, limits));
      const { report } = readSubscription(data, settings.products, { asOf: at, reportId: 'asked' });
      if (!report) throw new ProviderError('refused', 'The payment provider names an unknown product');
      return report;
    },
  };
}

/**
 * Resolves to the answer, and the beginning of the second in which it was given, by the provider's clock. The client's own time-out ends with the headers of an answer, and
 * a signal alone is not enough: once there are headers, the request that listens to it may be collected as garbage, and a body that stalls is waited for.
 */
async function answered<T>(
  answerMs: number,
  call: (limits: { readonly signal: AbortSignal }) => APIPromise<T>,
): Promise<{ readonly data: T; readonly at: Date }> {
  const asked = Date.now();
  try {
    const asking = call({ signal: AbortSignal.timeout(answerMs) }).withResponse();
    const { data, response } = await withinLimit(answerMs, () => asking);
    const date = Date.parse(response.headers.get('date') ?? '');
    return { data, at: new Date(Number.isNaN(date) ? asked : date) };
  } catch (error) {
    throw toProviderError(error);
  }
}

/** Resolves to what was asked for; null when the provider has no such thing. */
async function known<T>(asking: Promise<T>): Promise<T | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'unknown') return null;
    throw error;
  }
}

const MAY_PASS: ReadonlySet<number> = new Set([408, 409, 425, 429]);

function toProviderError(error: unknown): ProviderError {
  const status = error instanceof APIError ? (error.status as number | undefined) : undefined;
  if (status === undefined) return new ProviderError('away', 'The payment provider did not answer');
  const explanation = explanationOf((error as APIError).error);
  return new ProviderError(kindOf(status), `The payment provider answered ${status}${explanation && `: ${explanation}`}`);
}

function kindOf(status: number): ProviderError['kind'] {
  if (status === 404) return 'unknown';
  return status >= 500 || MAY_PASS.has(status) ? 'away' : 'refused';
}

function explanationOf(body: unknown): string {
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  return [code, message]
    .filter((part): part is string => typeof part === 'string')
    .join(' ')
    .slice(0, EXPLANATION_LENGTH);
}
