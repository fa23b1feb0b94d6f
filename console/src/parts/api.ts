import { ApiError, Lettermill, verifyWebhook } from '../../../clients/typescript/src/index.ts';
import type { Pages, components } from '../../../clients/typescript/src/index.ts';

export { ApiError, verifyWebhook };
export type { Pages };
/** Requests and responses of the API, by their names in its reference. */
export type Schemas = components['schemas'];

export interface Session {
  readonly project: { readonly id: string; readonly name: string; readonly plan: string; readonly disabled: boolean };
  readonly scope: 'full' | 'sending' | 'read';
  readonly testMode: boolean;
  /** Address of Temporal's web UI for executions; null if none is configured. */
  readonly temporalUrl: string | null;
  /** Host and ports that programs hand mail in to: with STARTTLS, and with TLS from the first byte. */
  readonly submission: { readonly host: string; readonly port: number | null; readonly tlsPort: number | null };
  readonly expiresAt: string;
  readonly csrf: string;
}

/** Proves that a request comes from this page. Kept only in memory: a page that is loaded again requests it again. */
let csrf = '-';

const HEADER = 'X-Lettermill-Console';

/** The cookie says who asks; no key is ever here. */
const withSession: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('Authorization');
  headers.set(HEADER, csrf);
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** The API, on behalf of the session: its requests carry no key, although the client asks for one. */
export const api = new Lettermill({ apiKey: 'none', baseUrl: location.origin, fetch: withSession, maxRetries: 1 });

const FAILED = 'The request failed. Try again.';

async function ask(method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const response = await withSession('/console/session', {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const answer = (await response.json()) as { readonly data: unknown; readonly error?: string };
  if (!response.ok) throw new SessionError(response.status, answer.error ?? FAILED);
  return answer.data;
}

/** A request outside of the client failed. */
class SessionError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The session of this browser; null when no one is signed in. */
export async function fetchSession(): Promise<Session | null> {
  try {
    const session = (await ask('GET')) as Session;
    csrf = session.csrf;
    return session;
  } catch (error) {
    if (error instanceof SessionError && error.status === 401) return null;
    throw error;
  }
}

export const signIn = (given: { readonly link: string } | { readonly key: string }): Promise<unknown> => ask('POST', given);

export const signOut = (): Promise<unknown> => ask('DELETE');

/** Fetches a file of the API. */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await withSession(path);
  if (response.ok) return response.blob();
  const { error } = (await response.json()) as { readonly error?: string };
  throw new SessionError(response.status, error ?? FAILED);
}
