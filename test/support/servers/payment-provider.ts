import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { CheckoutSessionStatus } from 'dodopayments/resources/checkout-sessions';
import type { IntentStatus } from 'dodopayments/resources/payments';
import type { ProviderSubscription, ProviderPayment, Notification, Fault } from './payment-shapes';

export const SECRET = `whsec_${Buffer.from('a secret that signs notifications').toString('base64')}`;
export const PRODUCTS = { starter: 'pdt_starter', growth: 'pdt_growth' } as const;
const KEY = 'key of the payment provider';
const DAY_MS = 86_400_000;

interface Session {
  readonly product: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  /** Null while the customer has not come to paying. */
  payment: ProviderPayment | null;
}

const CUSTOMER = { customer_id: 'cus_1', email: 'ada@example.com', name: 'Ada' };

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

interface Result {
  readonly status: number;
  readonly body: object;
}

const refusal = (status: number, message: string): Result => ({ status, body: { code: 'REFUSED', message } });

const shown = (row: object | null | undefined): Result => (row ? { status: 200, body: { ...row } } : refusal(404, 'Not found'));

async function read(req: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/**
 * A stand-in for the payment provider: its API over HTTP on loopback, with a clock of its own, and notifications that are signed as in
 * Standard Webhooks. A test delivers them, in any order and number.
 */
export class PaymentProvider {
  readonly asked: Asked[] = [];
  readonly subscriptions = new Map<string, ProviderSubscription>();
  /** Faults of the next calls; a call without one succeeds. */
  readonly faults: Fault[] = [];
  /** The fault of every call while it is set. */
  fault: Fault | null = null;
  /** The paths that are not answered while it is set: how they begin. */
  faultAt: string | null = null;
  private made = 0;
  private readonly sessions = new Map<string, Session>();

  private constructor(
    private readonly server: Server,
    /** Milliseconds. */
    private clock: number,
  ) {}

  static async start(now: number = Date.now() - DAY_MS): Promise<PaymentProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new PaymentProvider(server, now);
    server.on('request', (req, res) => void provider.answer(req, res));
    return provider;
  }

  get env(): Readonly<Record<string, string>> {
    return {
      PAYMENTS_API_URL: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      PAYMENTS_API_KEY: KEY,
      PAYMENTS_WEBHOOK_SECRET: SECRET,
      PAYMENTS_PRODUCT_STARTER: PRODUCTS.starter,
      PAYMENTS_PRODUCT_GROWTH: PRODUCTS.growth,
    };
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Sets its clock, which never goes back. */
  at(ms: number): void {
    this.clock = Math.max(this.clock, ms);
  }

  /** Its time, in milliseconds. */
  get time(): number {
    return this.clock;
  }

  /** The same; a second later on each read, so that no two things happen at once. */
  private now(): number {
    this.clock += 1_000;
    return this.clock;
  }

  callsTo(method: string, path: string): Asked[] {
    return this.asked.filter((each) => each.method === method && each.path === path);
  }

  /** The customer pays; the subscription runs for `days` days. */
  pay(sessionId: string, days = 30): { readonly id: string; readonly active: Notification } {
    const id = this.beginPayment(sessionId, 'succeeded', days);
    return { id, active: this.happens('active', id, { status: 'active' }) };
  }

  /** Begins the customer's payment in a status. The subscription waits for it. Resolves to its id. */
  beginPayment(sessionId: string, status: IntentStatus, days = 30): string {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error('No such session');
    const id = `sub_${++this.made}x${process.pid}`;
    const now = this.now();
    session.payment = {
      payment_id: `pay_${this.made}x${process.pid}`,
      status,
      subscription_id: id,
      checkout_session_id: sessionId,
      created_at: new Date(now).toISOString(),
      metadata: session.metadata,
      customer: CUSTOMER,
      currency: 'EUR',
      total_amount: 2_900,
    };
    this.subscriptions.set(id, {
      subscription_id: id,
      product_id: session.product,
      status: 'pending',
      cancel_at_next_billing_date: false,
      next_billing_date: new Date(now + days * DAY_MS).toISOString(),
      created_at: new Date(now).toISOString(),
      metadata: session.metadata,
      customer: CUSTOMER,
    });
    return id;
  }

  get(id: string): ProviderSubscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error('No such subscription');
    return subscription;
  }

  /** Something happens to the subscription: the notification of it. */
  happens(type: string, id: string, change: Partial<ProviderSubscription> = {}): Notification {
    Object.assign(this.get(id), change);
    return this.notify(`subscription.${type}`, id);
  }

  /** The next period is paid for. */
  renew(id: string, days = 30): Notification {
    const next = new Date(Date.parse(this.get(id).next_billing_date) + days * DAY_MS).toISOString();
    return this.happens('renewed', id, { next_billing_date: next, status: 'active' });
  }

  private notify(type: string, id: string): Notification {
    const timestamp = new Date(this.now()).toISOString();
    const data = { payload_type: 'Subscription', ...this.get(id) };
    return { id: `msg_${++this.made}x${process.pid}`, body: { business_id: 'bus_1', type, timestamp, data } };
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const asked = {
      method: req.method ?? '',
      path: req.url ?? '',
      authorization: req.headers.authorization,
      body: await read(req),
    };
    this.asked.push(asked);
    const fault = this.faultOf(asked);
    if (fault && !fault.after) return fail(fault, res);
    const result = this.handle(asked);
    if (fault) return fail(fault, res);
    res.setHeader('Date', new Date(this.clock).toUTCString());
    res.writeHead(result.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(result.body));
  }

  private faultOf({ path }: Asked): Fault | null {
    if (this.faultAt !== null && path.startsWith(this.faultAt)) return { kind: 'reset' };
    return this.fault ?? this.faults.shift() ?? null;
  }

  private handle({ method, path, authorization, body }: Asked): Result {
    if (authorization !== `Bearer ${KEY}`) return refusal(401, 'Unknown key');
    const [, kind, id] = /^\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    const answer = this.answers[`${method} ${kind}${id === undefined ? '' : '/'}`];
    return answer ? answer(id ?? '', body) : refusal(404, 'Not found');
  }

  private readonly answers: Readonly<Record<string, (id: string, body: Record<string, unknown>) => Result>> = {
    'POST checkouts': (_id, body) => this.openSession(body),
    'GET checkouts/': (id) => this.showSession(id),
    'GET payments/': (id) => this.showPayment(id),
    'GET subscriptions/': (id) => shown(this.subscriptions.get(id)),
    'PATCH subscriptions/': (id, body) => this.changeSubscription(this.subscriptions.get(id), body),
  };

  private changeSubscription(subscription: ProviderSubscription | undefined, body: Record<string, unknown>): Result {
    if (subscription?.status === 'cancelled') return refusal(422, 'The subscription is cancelled');
    if (subscription && body['cancel_at_next_billing_date'] === true) subscription.cancel_at_next_billing_date = true;
    return shown(subscription);
  }

  private openSession(body: Record<string, unknown>): Result {
    const [item] = body['product_cart'] as { product_id: string }[];
    if (!item || !Object.values<string>(PRODUCTS).includes(item.product_id)) return refusal(422, 'No such product');
    const sessionId = `cks_${++this.made}`;
    const created_at = new Date(this.clock).toISOString();
    this.sessions.set(sessionId, {
      product: item.product_id,
      metadata: body['metadata'] as Record<string, string>,
      created_at,
      payment: null,
    });
    return { status: 200, body: { session_id: sessionId, checkout_url: `https://checkout.example/session/${sessionId}` } };
  }

  private showSession(id: string): Result {
    const session = this.sessions.get(id);
    if (!session) return refusal(404, 'Not found');
    const { payment, created_at } = session;
    const { email: customer_email = null, name: customer_name = null } = payment?.customer ?? {};
    const { payment_id = null, status: payment_status = null } = payment ?? {};
    return shown({ id, created_at, customer_email, customer_name, payment_id, payment_status } satisfies CheckoutSessionStatus);
  }

  private showPayment(id: string): Result {
    return shown([...this.sessions.values()].find(({ payment }) => payment?.payment_id === id)?.payment);
  }
}

function fail({ kind, status = 500 }: Fault, res: ServerResponse): void {
  if (kind === 'reset') res.destroy();
  else if (kind === 'stall') res.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
  else if (kind === 'status') res.writeHead(status, { 'Content-Type': 'application/json' }).end('{"message":"ada@example.com is known"}');
}

export interface Delivery {
  readonly secret?: string;
  /** When it is said to have been signed; now unless it is given. */
  readonly signedAt?: Date;
  /** Sent instead of the bytes that were signed. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Delivers a notification to a platform. Resolves to the status and body of its answer. */
export async function deliver(
  url: string,
  notification: Notification,
  { secret = SECRET, signedAt = new Date(), body, headers }: Delivery = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const text = JSON.stringify(notification.body);
  const response = await fetch(`${url}/api/payments/webhook`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': notification.id,
      'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(notification.id, signedAt, text),
      ...headers,
    },
    body: body ?? text,
  });
  return { status: response.status, body: await response.json() };
}
