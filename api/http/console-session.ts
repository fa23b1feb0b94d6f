import type { IncomingMessage } from 'node:http';
import { isCsrfOf, sessionOf } from '../../src/records/console-sessions';
import type { SessionHolder } from '../../src/records/console-sessions';
import type { Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { parsedUrl } from '../../src/rules/parsed-url';

/** Sent with every request of the console. No page of another site can: it takes leave that is never given, and the value is known to the console alone. */
const CONSOLE_HEADER = 'x-lettermill-console';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

type PublicUrl = Pick<Core['config'], 'PUBLIC_URL'>;

const isSecure = ({ PUBLIC_URL }: PublicUrl): boolean => PUBLIC_URL.startsWith('https:');

/** Returns the name that a cookie has in browsers: `__Host-` binds it to this host, and they take it over https alone (RFC 6265bis, 4.1.3.2). */
const nameOf = (config: PublicUrl, name: string): string => (isSecure(config) ? `__Host-${name}` : name);

/** A cookie that no script reads. */
interface Cookie {
  readonly name: string;
  readonly value: string;
  /** `Expires` or `Max-Age`, as it is written. */
  readonly lifetime: string;
  readonly sameSite: 'Strict' | 'Lax';
}

/** Returns a cookie for the browser. */
export const cookieOf = (config: PublicUrl, { name, value, lifetime, sameSite }: Cookie): string =>
  `${nameOf(config, name)}=${value}; Path=/; ${lifetime}; HttpOnly; SameSite=${sameSite}${isSecure(config) ? '; Secure' : ''}`;

const NAME = 'lettermill-console';

/** Returns the cookie of a session, for the browser; without a session, one that deletes it. */
export function setCookie(config: PublicUrl, session: { readonly cookie: string; readonly expiresAt: Date } | null): string {
  const lifetime = `Expires=${(session?.expiresAt ?? new Date(0)).toUTCString()}`;
  return cookieOf(config, { name: NAME, value: session?.cookie ?? '', lifetime, sameSite: 'Strict' });
}

/** Returns the value of a cookie that a request has; null where it has none. */
export function cookieIn(config: PublicUrl, incoming: IncomingMessage, cookie: string): string | null {
  const name = nameOf(config, cookie);
  for (const part of (incoming.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/**
 * Resolves to whether a request is one of a page of ours: of the address that is configured, or of the one that was asked. What changes
 * something has to say so.
 */
export function isOfOurPages({ PUBLIC_URL }: PublicUrl, { method = '', headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin === undefined) return SAFE.has(method);
  return origin === new URL(PUBLIC_URL).origin || parsedUrl(origin)?.host === headers.host;
}

/** Refuses pages of other sites, which may neither begin a session nor see one. */
export function requireOurPage({ config }: Core, incoming: IncomingMessage): void {
  if (incoming.headers[CONSOLE_HEADER] === undefined || !isOfOurPages(config, incoming)) {
    throw new AppError('forbidden', 'Sign in and out only on the pages of the console');
  }
}

/** Resolves to the session that a browser's cookie names, from any page, also one that waits for a second factor. */
export async function cookieHolder(core: Core, incoming: IncomingMessage): Promise<SessionHolder | null> {
  const cookie = cookieIn(core.config, incoming, NAME);
  return cookie === null ? null : sessionOf(core.secrets, cookie);
}

/** Returns whether a request means to use a session: it has the console's header, and no key. */
export const asksBySession = ({ headers }: IncomingMessage): boolean =>
  headers[CONSOLE_HEADER] !== undefined && headers.authorization === undefined && headers['x-api-key'] === undefined;

/** Resolves to the session on whose behalf the console asks, also one that waits for a second factor. Null for any request that is not of its own pages, with what only they know. */
export async function waitingHolder(core: Core, incoming: IncomingMessage): Promise<SessionHolder | null> {
  const given = incoming.headers[CONSOLE_HEADER];
  if (typeof given !== 'string' || !isOfOurPages(core.config, incoming)) return null;
  const holder = await cookieHolder(core, incoming);
  return holder && isCsrfOf(core.secrets, holder.token, given) ? holder : null;
}

/** Resolves to the session on whose behalf the console asks; null also for one that waits for a second factor. */
export async function consoleHolder(core: Core, incoming: IncomingMessage): Promise<SessionHolder | null> {
  const holder = await waitingHolder(core, incoming);
  return holder?.waits === null ? holder : null;
}
