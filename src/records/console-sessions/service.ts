import { createHash, randomBytes } from 'node:crypto';
import { base32, invalidState, notFound } from '../../platform/core';
import { takeAll } from '../../platform/limits';
import { authenticate, findProject, getProject, hashKey, holderOfHash } from '../projects';
import type { KeyFault, KeyHolder, KeyRow } from '../projects';
import type { Secrets } from '../../platform/secrets';
import { ConsoleLinkModel, ConsoleSessionModel } from './model';
import type { ConsoleLink, ConsoleSession } from './model';

const LINK_MS = 30 * 60_000;
const SESSION_MS = 12 * 60 * 60_000;
const TOKEN = /^[0-9a-hj-km-np-tv-z]{52}$/;

const newToken = (): string => base32(randomBytes(32));
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Creates a link that signs in to a project's console once, within half an hour. Its token is in the fragment after the #, which no browser
 * sends and no server logs. Throws `not_found`, and `invalid_state` while the project is being removed.
 */
export async function makeLink(projectId: string, publicUrl: string): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const { removedAt } = await getProject(projectId);
  if (removedAt) throw invalidState('The project is being removed');
  const token = newToken();
  const expiresAt = new Date(Date.now() + LINK_MS);
  await ConsoleLinkModel.create({ _id: hashOf(token), projectId, expiresAt } satisfies ConsoleLink);
  return { url: `${publicUrl}/console/#link=${token}`, expiresAt };
}

const WINDOW_MS = 10 * 60_000;
const PER_CLIENT = 120;
const PER_KEY = 60;

/** Counts an attempt to sign in against the limits of its client and of its key. Throws `rate_limited`. */
async function takeAttempt(secrets: Secrets, client: string, key?: string): Promise<void> {
  const limitOf = (whose: string, limit: number) => ({ id: `lim_${secrets.sign('session', whose)}`, limit, windowMs: WINDOW_MS });
  const ofKey = key === undefined ? [] : [limitOf(`key/${hashKey(key)}`, PER_KEY)];
  await takeAll('sign-ins', [limitOf(`client/${client}`, PER_CLIENT), ...ofKey]);
}

/** The data that a browser gets at sign-in. */
export interface SignedIn {
  readonly projectId: string;
  readonly sessionId: string;
  /** Name of the person or key, for the audit. */
  readonly by: string;
  /** Content of the cookie: the token of the session, signed. */
  readonly cookie: string;
  readonly expiresAt: Date;
}

const cookieOf = (secrets: Secrets, token: string): string => `${token}.${secrets.sign('session', `cookie/${token}`)}`;

/** Number of digits of the hash that distinguish sessions. */
const ID_DIGITS = 32;
const idOf = (hash: string): string => `ses_${hash.slice(0, ID_DIGITS)}`;
const SESSION_ID = new RegExp(`^ses_([0-9a-f]{${ID_DIGITS}})$`);

async function beginSession(
  secrets: Secrets,
  session: Pick<ConsoleSession, 'projectId' | 'keyHash' | 'kind'>,
  until: Date,
  keyPrefix?: string,
): Promise<SignedIn> {
  const token = newToken();
  const createdAt = new Date();
  const expiresAt = new Date(Math.min(createdAt.getTime() + SESSION_MS, until.getTime()));
  const _id = hashOf(token);
  await ConsoleSessionModel.create({ _id, ...session, createdAt, expiresAt });
  const by = keyPrefix === undefined ? byLink(_id) : `key ${keyPrefix}`;
  return { projectId: session.projectId, sessionId: idOf(_id), by, cookie: cookieOf(secrets, token), expiresAt };
}

const NEVER = new Date(8_640_000_000_000_000);

/** Signs in by a link, which is used up by it; `client` is the network address. Null if the link does not exist, or it is used up. Throws `rate_limited`. */
export async function signInByLink(secrets: Secrets, client: string, token: string): Promise<SignedIn | null> {
  await takeAttempt(secrets, client);
  if (!TOKEN.test(token)) return null;
  const link = await ConsoleLinkModel.findOneAndDelete({ _id: hashOf(token), expiresAt: { $gt: new Date() } }).lean<ConsoleLink>();
  if (!link || !(await openProject(link.projectId))) return null;
  return beginSession(secrets, { projectId: link.projectId, keyHash: null, kind: 'secret' }, NEVER);
}

/** Signs in by a secret or test key, with what it may do and until when. Otherwise why it cannot be. Throws `rate_limited`. */
export async function signInByKey(secrets: Secrets, client: string, given: string): Promise<SignedIn | KeyFault> {
  await takeAttempt(secrets, client, given);
  const found = await authenticate(given);
  if (typeof found === 'string') return found;
  const { project, key } = found;
  if (key.kind === 'public') return 'unknown';
  return beginSession(secrets, { projectId: project._id, keyHash: key.hash, kind: key.kind }, key.expiresAt ?? NEVER, key.prefix);
}

/** A session in use, and on whose behalf. */
export interface SessionHolder extends KeyHolder {
  readonly session: ConsoleSession;
  readonly token: string;
}

function tokenIn(secrets: Secrets, cookie: string): string | null {
  const [token = '', signature = ''] = cookie.split('.');
  return TOKEN.test(token) && secrets.verify('session', `cookie/${token}`, signature) ? token : null;
}

/** Resolves to whose session a cookie names. Null when it is none, has ended, or the key that it was made with is no longer good. */
export async function sessionOf(secrets: Secrets, cookie: string): Promise<SessionHolder | null> {
  const token = tokenIn(secrets, cookie);
  if (token === null) return null;
  const session = await ConsoleSessionModel.findOne({ _id: hashOf(token), expiresAt: { $gt: new Date() } }).lean<ConsoleSession>();
  if (!session) return null;
  const holder = session.keyHash === null ? await holderByLink(session) : await holderOfHash(session.keyHash);
  return holder === null || typeof holder === 'string' ? null : { ...holder, session, token };
}

/** Finds the holder of a session that began with a link: it counts as a key of its own that may do everything, for as long as it lasts. */
async function holderByLink({ _id, projectId, kind, createdAt, expiresAt }: ConsoleSession): Promise<KeyHolder | null> {
  const project = await openProject(projectId);
  const key: KeyRow = { hash: _id, kind, scope: 'full', prefix: shownOf(_id), createdAt, expiresAt, revokedAt: null };
  return project && { project, key };
}

/** Returns the audit's name for a session that a link began. */
const shownOf = (hash: string): string => hash.slice(0, 8);
const byLink = (hash: string): string => `console ${shownOf(hash)}`;

const openProject = async (projectId: string) => {
  const project = await findProject(projectId);
  return project && !project.removedAt ? project : null;
};

/** Returns what the pages of a session send with each request, and no other site can know. */
export const csrfOf = (secrets: Secrets, token: string): string => secrets.sign('session', `csrf/${token}`);

/** Returns whether a request came with what only the pages of the session know. */
export const isCsrfOf = (secrets: Secrets, token: string, given: string): boolean => secrets.verify('session', `csrf/${token}`, given);

/** Ends a session. */
export async function signOut({ session }: SessionHolder): Promise<void> {
  await ConsoleSessionModel.deleteOne({ _id: session._id });
}

/** A session as people see it. */
interface ListedSession {
  readonly sessionId: string;
  readonly projectId: string;
  /** The beginning of the key that it was made with; null of a link's. */
  readonly keyPrefix: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Resolves to the sessions of a project that can be used, newest first. Throws `not_found`. */
export async function listSessions(projectId: string): Promise<readonly ListedSession[]> {
  await getProject(projectId);
  const rows = await ConsoleSessionModel.find({ projectId, expiresAt: { $gt: new Date() } })
    .sort({ createdAt: -1 })
    .lean<ConsoleSession[]>();
  const listed = await Promise.all(
    rows.map(async ({ _id, keyHash, createdAt, expiresAt }) => {
      const holder = keyHash === null ? null : await holderOfHash(keyHash);
      if (typeof holder === 'string') return [];
      return [{ sessionId: idOf(_id), projectId, keyPrefix: holder?.key.prefix ?? null, createdAt, expiresAt }];
    }),
  );
  return listed.flat();
}

/** Ends a session. Resolves to its project. Throws `not_found`. */
export async function endSession(sessionId: string): Promise<string> {
  const [, digits] = SESSION_ID.exec(sessionId) ?? [];
  const session =
    digits === undefined
      ? null
      : await ConsoleSessionModel.findOneAndDelete({ _id: { $gte: digits, $lt: `${digits}g` } }).lean<ConsoleSession>();
  if (!session) throw notFound('Session');
  return session.projectId;
}

/** Ends all sessions of a project, and takes back links that were not used. Resolves to how many sessions there were. Throws `not_found`. */
export async function endAllSessions(projectId: string): Promise<number> {
  await getProject(projectId);
  await ConsoleLinkModel.deleteMany({ projectId });
  return (await ConsoleSessionModel.deleteMany({ projectId })).deletedCount;
}
