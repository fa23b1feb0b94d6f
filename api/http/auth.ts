import type { IncomingMessage } from 'node:http';
import type { Context, Core } from '../../src/platform/core';
import { AppError } from '../../src/platform/core';
import { authenticate, byPerson, scopeOf } from '../../src/records/projects';
import type { Grant, KeyFault, KeyHolder, KeyRow } from '../../src/records/projects';
import { asksBySession, consoleHolder } from './console-session';
import type { Endpoint } from './endpoint';
import { unauthorized } from './errors';
import { isRole, opens, rolesOf, scopesOf } from './scopes';

const BEARER = /^bearer +(\S+) *$/i;

const NO_KEY = 'Give an API key: Authorization: Bearer sk_…';
const NOT_BEARER = 'The Authorization header must be the word Bearer, a space, and the API key';

const ambiguous = (): AppError => new AppError('ambiguous_api_key', 'Send exactly one API key');

// Node keeps the first of several `Authorization` headers; only the raw list shows the others.
function headerCount({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count++;
  return count;
}

/** Returns the key that a request carries. Throws `ambiguous_api_key` or `unauthorized`. */
function readKey(incoming: IncomingMessage): string {
  if (headerCount(incoming, 'authorization') > 1) throw ambiguous();
  const { authorization } = incoming.headers;
  const other = incoming.headers['x-api-key']?.toString();
  const key = authorization === undefined ? other : BEARER.exec(authorization)?.[1];
  if (!key) throw unauthorized(authorization === undefined ? NO_KEY : NOT_BEARER);
  if (other !== undefined && other !== key) throw ambiguous();
  return key;
}

/** Returns the key in a header that is for it alone. Throws `unauthorized`. */
function keyIn(header: string, { headers }: IncomingMessage): string {
  const key = headers[header]?.toString();
  if (!key) throw unauthorized(`Give an API key in the header ${header}`);
  return key;
}

/** The caller of a request, by its key or session. */
export interface Caller {
  readonly ctx: Context;
  /** The caller's key; for a session that a link began, a row that represents the session only. */
  readonly key: KeyRow;
  /** The caller's name in the audit. */
  readonly by: string;
  /** The scope of the caller's key, or the person's role; null of a public key. */
  readonly grant: Grant | null;
  /** Whether it is a key that is kept, and not a session's alone. */
  readonly isKey: boolean;
}

const REFUSALS: Readonly<Record<KeyFault, string>> = {
  unknown: 'There is no such API key',
  revoked: 'This API key was revoked',
  expired: 'This API key has expired',
};

interface Holder extends KeyHolder, Pick<Caller, 'grant' | 'isKey'> {
  /** The person who is signed in. */
  readonly personId: string | null;
}

/** Finds the key or the console session of a request. Throws `unauthorized`. */
async function holderOf(core: Core, incoming: IncomingMessage, { keyHeader }: Endpoint['form']): Promise<Holder> {
  if (asksBySession(incoming)) {
    const holder = await consoleHolder(core, incoming);
    if (!holder) throw unauthorized('The session has ended; sign in again');
    const { keyHash, personId } = holder.session;
    return { ...holder, personId, isKey: keyHash !== null };
  }
  const found = await authenticate(keyHeader === undefined ? readKey(incoming) : keyIn(keyHeader, incoming));
  if (typeof found === 'string') throw unauthorized(REFUSALS[found]);
  return { ...found, grant: scopeOf(found.key), personId: null, isKey: true };
}

/** Authenticates the caller. Throws `unauthorized`, also for a public key where it has no business. */
export async function callerOf(core: Core, incoming: IncomingMessage, requestId: string, endpoint: Endpoint): Promise<Caller> {
  const { project, key, grant, personId, isKey } = await holderOf(core, incoming, endpoint.form);
  const { kind } = key;
  if (kind === 'public' && !endpoint.request?.publicBody)
    throw unauthorized('Public keys may only POST /v1/events; this needs a secret key');
  // A session that a link began belongs to a person, who may create what outlives it.
  const keyEnd = isKey ? (key.expiresAt ?? undefined) : undefined;
  const bySession = personId === null ? `console ${key.prefix}` : byPerson(personId);
  const by = isKey ? `key ${key.prefix}` : bySession;
  const ctx = {
    core,
    projectId: project._id,
    project,
    testMode: kind === 'test',
    keyKind: kind,
    origin: key.origin ?? by,
    keyEnd,
    ...(personId !== null && { personId }),
    readsContent: scopeOf(key) !== 'sending',
    requestId,
  };
  return { ctx, key, grant, isKey, by };
}

/** Returns why a key or a person may not call the operation; null when they may. */
export function grantFault(grant: Grant | null, endpoint: Endpoint): AppError | null {
  if (grant === null || opens(grant, endpoint)) return null;
  const { operationId } = endpoint;
  const fault = isRole(grant)
    ? `Your role in this project is ${grant}; ${operationId} needs the role ${oneOf(rolesOf(endpoint))}`
    : `This key's scope is ${grant}; ${operationId} needs the scope ${oneOf(scopesOf(endpoint))}`;
  return new AppError('forbidden', fault);
}

const oneOf = (names: readonly string[]): string => names.join(' or ');
