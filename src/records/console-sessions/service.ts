import { createHash, randomBytes } from 'node:crypto';
import { base32, invalidState } from '../../platform/core';
import { authenticate, findProject, getProject, holderOfHash } from '../projects';
import type { KeyFault, KeyHolder, KeyRow } from '../projects';
import type { Secrets } from '../../platform/secrets';
import { ConsoleLinkModel, ConsoleSessionModel } from './model';
import type { ConsoleLink, ConsoleSession } from './model';

const LINK_MS = 30 * 60_000;
const SESSION_MS = 12 * 60 * 60_000;
const TOKEN = /^[0-9a-hj-km-np-tv-z]{52}$/;

const newToken = (): string => base32(randomBytes(32));
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Makes a link that signs in to a project's console once, within half an hour. Its token stands behind the #, which no browser sends and no server logs. Throws `not_found`, and `invalid_state` while the project is being removed. */
export async function makeLink(projectId: string, publicUrl: string): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const { removedAt } = await getProject(projectId);
  if (removedAt) throw invalidState('The project is being removed');
  const token = newToken();
  const expiresAt = new Date(Date.now() + LINK_MS);
  await ConsoleLinkModel.create({ _id: hashOf(token), projectId, expiresAt } satisfies ConsoleLink);
  return { url: `${publicUrl}/console/#link=${token}`, expiresAt };
}

/** What a browser is given at sign-in. */
export interface SignedIn {
  readonly projectId: string;
  /** What the cookie holds: the token of the session, signed. */
  readonly cookie: string;
  readonly expiresAt: Date;
}

const cookieOf = (secrets: Secrets, token: string): string => `${token}.${secrets.sign('session', `cookie/${token}`)}`;

async function beginSession(
  secrets: Secrets,
  session: Pick<ConsoleSession, 'projectId' | 'keyHash' | 'kind'>,
  until: Date,
): Promise<SignedIn> {
  const token = newToken();
  const createdAt = new Date();
  const expiresAt = new Date(Math.min(createdAt.getTime() + SESSION_MS, until.getTime()));
  await ConsoleSessionModel.create({ _id: hashOf(token), ...session, createdAt, expiresAt });
  return { projectId: session.projectId, cookie: cookieOf(secrets, token), expiresAt };
}

const NEVER = new Date(8_640_000_000_000_000);

/** Signs in by a link, which is used up by it. Null when there is no such link, or no more. */
export async function signInByLink(secrets: Secrets, token: string): Promise<SignedIn | null> {
  if (!TOKEN.test(token)) return null;
  const link = await ConsoleLinkModel.findOneAndDelete({ _id: hashOf(token), expiresAt: { $gt: new Date() } }).lean<ConsoleLink>();
  if (!link || !(await openProject(link.projectId))) return null;
  return beginSession(secrets, { projectId: link.projectId, keyHash: null, kind: 'secret' }, NEVER);
}

/** Signs in by a secret or test key, with what it may do and until when. Otherwise why it cannot be. */
export async function signInByKey(secrets: Secrets, given: string): Promise<SignedIn | KeyFault> {
  const found = await authenticate(given);
  if (typeof found === 'string') return found;
  const { project, key } = found;
  if (key.kind === 'public') return 'unknown';
  return beginSession(secrets, { projectId: project._id, keyHash: key.hash, kind: key.kind }, key.expiresAt ?? NEVER);
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
  const key: KeyRow = { hash: _id, kind, scope: 'full', prefix: _id.slice(0, 8), createdAt, expiresAt, revokedAt: null };
  return project && { project, key };
}

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
