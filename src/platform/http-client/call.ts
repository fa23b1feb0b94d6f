import http from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { BlockedAddress, publicOnly, urlFault } from './addresses';
import type { Names, CallRules } from './addresses';
import { resolvedUrl } from '../../rules/parsed-url';

/** More redirects than this are not followed. */
export const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns where an answer sends its client; null for one that is no redirect. */
export const redirectOf = (status: number | null, location: string | undefined, from: URL): URL | null =>
  status !== null && REDIRECTS.has(status) && location !== undefined ? resolvedUrl(location, from) : null;

/** A request to a customer's server. */
export interface Call {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface CallTools {
  readonly rules: CallRules;
  readonly dns: Names;
  readonly limitMs: number;
}

/** The result of a call. */
export interface Answered {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** The first bytes of it, as text. */
  readonly body: string | null;
  readonly error: string | null;
  /** The kind of the error, without anything that the server or the caller wrote. */
  readonly errorClass: string | null;
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | null;
  /** The target of a redirect, as it came; absent of any other answer. */
  readonly location?: string | undefined;
  /** Another try may have another end. */
  readonly temporary: boolean;
}

const KEPT_BYTES = 1_024;

/**
 * Calls a URL once over HTTP on behalf of a customer. No redirect is followed; where only public addresses may be called, what the host's name leads to is checked
 * at the moment of connecting. The limit is on the whole exchange. Never throws.
 */
export async function callOut(call: Call, { rules, dns, limitMs }: CallTools): Promise<Answered> {
  const fault = urlFault(call.url, rules);
  if (fault !== null) return none({ error: fault, errorClass: 'blocked URL', temporary: false });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { response, bytes } = await exchange(call, { rules, dns, signal, keepBytes: KEPT_BYTES });
    // A character that is cut in two is left out.
    return answeredBy(response, new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: bytes.length > KEPT_BYTES }));
  } catch (error) {
    return none(failureOf(error, signal, limitMs));
  }
}

/** Returns what a server answered. */
function answeredBy({ statusCode: status = 0, headers }: IncomingMessage, body: string): Answered {
  const { 'retry-after': retryAfter = null, location } = headers;
  const isFine = status >= 200 && status < 300;
  const failure = { error: `The server answered ${status}`, errorClass: `HTTP ${status}` };
  return {
    status,
    body,
    ...(isFine ? { error: null, errorClass: null } : failure),
    retryAfter,
    temporary: status >= 500,
    ...(location !== undefined && { location }),
  };
}

/** A call without an answer. */
type Failure = Pick<Answered, 'temporary'> & { readonly error: string; readonly errorClass: string };

/** Says why a call that threw had no answer. */
export function failureOf(error: unknown, { aborted }: AbortSignal, limitMs: number): Failure {
  if (error instanceof BlockedAddress) return { error: error.message, errorClass: 'blocked address', temporary: false };
  if (aborted) return { error: `No answer within ${limitMs / 1_000} s`, errorClass: 'time-out', temporary: true };
  return { error: `The call failed: ${codeOf(error)}`, errorClass: codeOf(error), temporary: true };
}

const none = (failure: Failure): Answered => ({
  status: null,
  body: null,
  retryAfter: null,
  ...failure,
});

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown';

interface Exchange {
  readonly response: IncomingMessage;
  /** The beginning of the body: all of it, unless it is longer than what is kept. */
  readonly bytes: Buffer;
}

interface ExchangeTools extends Pick<CallTools, 'rules' | 'dns'> {
  readonly signal: AbortSignal;
  /** Reading ends after the first piece that exceeds this. */
  readonly keepBytes: number;
}

/** Sends a request and reads the beginning of the answer. Throws what `failureOf` explains. */
export function exchange({ url, method, headers, body }: Call, { rules, dns, signal, keepBytes }: ExchangeTools): Promise<Exchange> {
  const lookup: LookupFunction | undefined = rules.WEBHOOK_ALLOW_PRIVATE ? undefined : publicOnly(dns);
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { method, headers, signal, agent: false, ...(lookup && { lookup: lookup }) };
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    request.on('error', reject);
    // Without a listener, an answer that changes the protocol (101) would close the connection and say nothing.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ response, bytes: Buffer.alloc(0) });
    });
    request.on('response', (response) => {
      firstBytes(response, keepBytes).then((bytes) => {
        resolve({ response, bytes });
        request.destroy();
      }, reject);
    });
    request.end(body ?? undefined);
  });
}

async function firstBytes(response: IncomingMessage, keepBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > keepBytes) break;
  }
  return Buffer.concat(chunks);
}
