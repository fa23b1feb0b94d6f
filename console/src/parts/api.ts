import { ApiError, Lettermill, verifyWebhook } from '../../../clients/typescript/src/index.ts';
import type { Pages, components } from '../../../clients/typescript/src/index.ts';

export { ApiError, verifyWebhook };
export type { Pages };
/** Requests and responses of the API, by their names in its reference. */
export type Schemas = components['schemas'];

interface SignedInPerson {
  readonly id: string;
  readonly address: string;
  readonly name: string | null;
  /** Whether an account at the OpenID provider is linked. */
  readonly hasIdentity: boolean;
  readonly projects: readonly Schemas['OwnProject'][];
}

export interface Session {
  readonly project: { readonly id: string; readonly name: string; readonly plan: string; readonly disabled: boolean };
  /** The person who is signed in; null for a key and for a link of an operator. */
  readonly person: SignedInPerson | null;
  readonly sessionId: string;
  readonly waits: null;
  /** The role of the person, or the scope of the key. */
  readonly grant: Schemas['MemberRole'] | 'full' | 'sending' | 'read';
  readonly testMode: boolean;
  /** Address of Temporal's web UI for executions; null if none is configured. */
  readonly temporalUrl: string | null;
  /** Host and ports that programs hand mail in to: with STARTTLS, and with TLS from the first byte. */
  readonly submission: { readonly host: string; readonly port: number | null; readonly tlsPort: number | null };
  readonly expiresAt: string;
  readonly csrf: string;
}

/** A session that waits for a second factor: `code` for one that the person has, `enroll` for one to be set up. */
export interface WaitingSession extends Pick<Session, 'sessionId' | 'csrf'> {
  readonly waits: 'code' | 'enroll';
  readonly projectId: string;
  /** The projects to go to instead. */
  readonly projects: readonly Schemas['OwnProject'][];
}

/** Proves that a request comes from this page. Kept only in memory: a page that is loaded again requests it again. */
let csrf = '-';

const HEADER = 'X-Lettermill-Console';

// The cookie says who asks; no key is ever here.
const withSession: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('Authorization');
  headers.set(HEADER, csrf);
  return fetch(input, { ...init, headers, credentials: 'same-origin' });
};

/** The API, on behalf of the session: its requests carry no key, although the client asks for one. */
export const api = new Lettermill({ apiKey: 'none', baseUrl: location.origin, fetch: withSession, maxRetries: 1 });

const FAILED = 'The request failed. Try again.';

/** Asks the console's own part of the server. */
export async function ask(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<unknown> {
  const response = await withSession(`/console/${path}`, {
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

/** Resolves to the session of this browser; null when no one is signed in. */
export async function fetchSession(): Promise<Session | WaitingSession | null> {
  try {
    const session = (await ask('GET', 'session')) as Session | WaitingSession;
    csrf = session.csrf;
    return session;
  } catch (error) {
    if (error instanceof SessionError && error.status === 401) return null;
    throw error;
  }
}

/** The proof that a person signs in with: a link from a message or an operator, an invitation, or a key. */
export type Proof = Readonly<Record<'link', string>> | Readonly<Record<'invitation', string>> | Readonly<Record<'key', string>>;

export const signIn = (given: Proof): Promise<unknown> => ask('POST', 'session', given);

/** Ends the session. Returns the page that ends the one at the OpenID provider; null where there is none. */
export const signOut = async (): Promise<string | null> => ((await ask('DELETE', 'session')) as { readonly leave: string | null }).leave;

/** Lists the ways in apart from links and keys. */
export const fetchWays = async (): Promise<{ readonly sso: { readonly label: string } | null }> =>
  (await ask('GET', 'ways')) as { readonly sso: { readonly label: string } | null };

/** Asks for a sign-in link by e-mail. The answer does not tell whether anyone has the address. */
export const askForLink = (address: string): Promise<unknown> => ask('POST', 'session/link', { address });

/** Switches to another project of the person, with a new session. */
export const switchProject = (projectId: string): Promise<unknown> => ask('POST', 'session/project', { projectId });

export interface OwnSession {
  readonly sessionId: string;
  readonly projectId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Operations on the own account of the person. */
export const account = {
  rename: (name: string | null): Promise<unknown> => ask('PATCH', 'person', { name }),
  sessions: async (): Promise<readonly OwnSession[]> => (await ask('GET', 'sessions')) as readonly OwnSession[],
  end: (sessionId: string): Promise<unknown> => ask('DELETE', `sessions/${sessionId}`),
  endAll: (): Promise<unknown> => ask('DELETE', 'sessions'),
  disconnect: (): Promise<unknown> => ask('DELETE', 'identity'),
};

/** Fetches a file of the API, and says how many bytes of it have arrived. */
export async function fetchFile(path: string, signal?: AbortSignal, arrived?: (bytes: number) => void): Promise<Blob> {
  const response = await withSession(path, { signal: signal ?? null });
  if (!response.ok) {
    const { error } = (await response.json()) as { readonly error?: string };
    throw new SessionError(response.status, error ?? FAILED);
  }
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      arrived?.(bytes);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counting) ?? null, { headers: response.headers }).blob();
}
