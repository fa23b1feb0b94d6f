import { LettermillError } from './errors.ts';
import { hmacKey } from './hmac.ts';
import type { components, webhooks } from './schema.ts';

type PayloadOf<W> = W extends { readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': infer P } } } }
  ? P
  : never;

/** The payloads of the system's events, by name. */
export type SystemEvents = { readonly [Name in Exclude<keyof webhooks, 'own'>]: PayloadOf<webhooks[Name]> };

type Own<Data extends object> = {
  readonly [Name in keyof Data]: Omit<components['schemas']['OwnEvent'], 'type' | 'data'> & {
    readonly type: Name;
    readonly data: Data[Name] & { readonly contact?: components['schemas']['Contact'] };
  };
}[keyof Data];

/** An event as a webhook endpoint receives it. `Data` names your own events with their data. */
export type WebhookEvent<Data extends object = Record<never, never>> = SystemEvents[keyof SystemEvents] | Own<Data>;

/** The request does not come from Lettermill, or is too old. */
export class SignatureError extends LettermillError {
  override readonly name = 'SignatureError';
}

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  /** The bytes as they came, before any parsing. */
  readonly body: string | Uint8Array;
  readonly headers: HeaderBag;
  /** The endpoint's secret, `whsec_` included. */
  readonly secret: string;
  /** Largest age in seconds; default 300. */
  readonly toleranceSeconds?: number;
}

const HEADER = 'x-service-signature';

function signatureIn(headers: HeaderBag): string {
  if (headers instanceof Headers) return headers.get(HEADER) ?? '';
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER) ?? [];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/[0-9a-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));

/** Checks a webhook's signature and resolves to its event. Throws a `SignatureError`. */
export async function verifyWebhook<Data extends object = Record<never, never>>(request: WebhookRequest): Promise<WebhookEvent<Data>> {
  const { body, secret, toleranceSeconds = 300 } = request;
  const encoder = new TextEncoder();
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const parts = signatureIn(request.headers).split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!(Math.abs(Date.now() / 1_000 - Number(time)) < toleranceSeconds))
    throw new SignatureError('The request is not signed, or the signature is too old');
  const key = await hmacKey(secret, 'verify');
  for (const part of parts) {
    if (!part.startsWith('v1=')) continue;
    if (await crypto.subtle.verify('HMAC', key, fromHex(part.slice(3)), encoder.encode(`${time}.${text}`))) {
      return JSON.parse(text) as WebhookEvent<Data>;
    }
  }
  throw new SignatureError('The signature does not match this secret');
}
