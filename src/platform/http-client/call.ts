import http from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { BlockedAddress, publicOnly } from './addresses';
import type { Names } from './addresses';
import { urlFault } from './url';
import type { CallRules } from './url';

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
  /** Another try may have another end. */
  readonly temporary: boolean;
}

const KEPT_BYTES = 1_024;

/**
 * Calls a URL once over HTTP on behalf of a customer. No redirect is followed; where only public addresses may be called, what the host's name leads to is judged
 * at the moment of connecting. The limit is on the whole exchange. Never throws.
 */
export async function callOut(call: Call, { rules, dns, limitMs }: CallTools): Promise<Answered> {
  const fault = urlFault(call.url, rules);
  if (fault !== null) return none({ error: fault, errorClass: 'blocked URL', temporary: false });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const { response, content: text } = await exchange(call, lookupOf(rules, dns), signal, firstBytes);
    const status = response.statusCode ?? 0;
    const isFine = status >= 200 && status < 300;
    const failure = { error: `The server answered ${status}`, errorClass: `HTTP ${status}` };
    const retryAfter = response.headers['retry-after'] ?? null;
    return { status, body: text ?? '', ...(isFine ? { error: null, errorClass: null } : failure), retryAfter, temporary: status >= 500 };
  } catch (error) {
    if (error instanceof BlockedAddress) return none({ error: error.message, errorClass: 'blocked address', temporary: false });
    if (signal.aborted) return none({ error: `No answer within ${limitMs / 1_000} s`, errorClass: 'time-out', temporary: true });
    return none({ error: `The call failed: ${codeOf(error)}`, errorClass: codeOf(error), temporary: true });
  }
}

const none = (failure: Pick<Answered, 'error' | 'errorClass' | 'temporary'>): Answered => ({
  status: null,
  body: null,
  retryAfter: null,
  ...failure,
});

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'unknown';

const lookupOf = ({ WEBHOOK_ALLOW_PRIVATE }: CallRules, dns: Names): LookupFunction | undefined =>
  WEBHOOK_ALLOW_PRIVATE ? undefined : publicOnly(dns);

/** The content of a URL, or why there is none. */
type Downloaded = { readonly content: Buffer; readonly contentType: string | null } | { readonly error: string };

/** Gets what is at a URL on behalf of a customer, at most `most` bytes, by the same rules and limits as `callOut`. Never throws. */
export async function download(url: URL, most: number, { rules, dns, limitMs }: CallTools): Promise<Downloaded> {
  const fault = urlFault(url, rules);
  if (fault !== null) return { error: fault };
  const signal = AbortSignal.timeout(limitMs);
  try {
    const call: Call = { url, method: 'GET', headers: {}, body: null };
    const { response, content } = await exchange(call, lookupOf(rules, dns), signal, (answer) => bytesOf(answer, most));
    if (response.statusCode !== 200) return { error: `The server answered ${response.statusCode ?? 0}` };
    if (!content || content.length > most) return { error: `The file has more than ${most} bytes` };
    return { content, contentType: response.headers['content-type'] ?? null };
  } catch (error) {
    if (error instanceof BlockedAddress) return { error: error.message };
    if (signal.aborted) return { error: `No answer within ${limitMs / 1_000} s` };
    return { error: `The call failed: ${codeOf(error)}` };
  }
}

interface Exchange<T> {
  readonly response: IncomingMessage;
  /** Null of an answer that changes the protocol. */
  readonly content: T | null;
}

function exchange<T>(
  { url, method, headers, body }: Call,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<Exchange<T>> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { method, headers, signal, agent: false, ...(lookup && { lookup: lookup }) };
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    request.on('error', reject);
    // Without a listener, an answer that changes the protocol (101) would close the connection and say nothing.
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ response, content: null });
    });
    request.on('response', (response) => {
      read(response).then((content) => {
        resolve({ response, content });
        request.destroy();
      }, reject);
    });
    request.end(body ?? undefined);
  });
}

/** Reads a response until it has more than `most` bytes, or ends. */
async function bytesOf(response: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return Buffer.concat(chunks);
}

/** Reads the beginning of a response; a character that is cut in two is left out. */
async function firstBytes(response: IncomingMessage): Promise<string> {
  const bytes = await bytesOf(response, KEPT_BYTES);
  return new TextDecoder().decode(bytes.subarray(0, KEPT_BYTES), { stream: bytes.length > KEPT_BYTES });
}
