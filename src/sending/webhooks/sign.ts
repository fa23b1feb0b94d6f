import { createHmac } from 'node:crypto';

interface Signed {
  readonly eventId: string;
  readonly body: string;
  /** Unix seconds. */
  readonly at: number;
  /** Each of them makes a signature. */
  readonly secrets: readonly string[];
}

/**
 * Makes the headers that prove a delivery's origin, in two schemes over the same secret: Stripe's, whose key is the whole text of the secret, and
 * Standard Webhooks', whose key is the bytes that stand in base64 behind `whsec_`.
 */
export function signatureHeaders({ eventId, body, at, secrets }: Signed): Readonly<Record<string, string>> {
  const plain = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`);
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${at}.${body}`).digest('base64')}`;
  });
  return {
    'X-Service-Signature': [`t=${at}`, ...plain].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(at),
    'webhook-signature': standard.join(' '),
  };
}
