import type { ClientSession } from 'mongoose';
import { invalidState, isToken, newToken, notFound, sha256 } from '../../platform/core';
import { authenticate, byPerson, findProject, getProject, holderOfHash, memberOf, scopeOf } from '../projects';
import type { Grant, KeyFault, KeyHolder, KeyRow, Project } from '../projects';
import type { Secrets } from '../../platform/secrets';
import { waitsFor, takeAttempt } from './factor';
import type { Waiting } from './factor';
import { ConsoleLinkModel, ConsoleSessionModel } from './model';
import type { ConsoleLink, ConsoleSession } from './model';

const LINK_MS = 30 * 60_000;
/** Time after which a session ends that was not used; one of a link or a key ends then in any case. */
const SESSION_MS = 12 * 60 * 60_000;
/** A session of a person ends then, however much it is used. */
const PERSON_MS = 7 * 24 * 60 * 60_000;
/** The end of a session moves by at least this, so that a request writes nothing. */
const EXTENSION_MS = 60_000;

/** A link that is to be stored. */
interface PreparedLink {
  readonly url: string;
  readonly expiresAt: Date;
  /** Stores it, in the transaction that mails it if there is one. */
  store(this: void, session?: ClientSession): Promise<void>;
}

/**
 * Prepares a link that signs in to a project's console once, within half an hour: a person, or anyone who opens it, as an owner. Its token is in the
 * fragment after the #, which no browser sends and no server logs. Throws `not_found`, and `invalid_state` while the project is being removed.
 */
export async function prepareLink(projectId: string, publicUrl: string, personId: string | null): Promise<PreparedLink> {
  const { removedAt } = await getProject(projectId);
  if (removedAt) throw invalidState('The project is being removed');
  const token = newToken();
  const link: ConsoleLink = { _id: sha256(token), projectId, personId, expiresAt: new Date(Date.now() + LINK_MS) };
  return {
    url: `${publicUrl}/console/#link=${token}`,
    expiresAt: link.expiresAt,
    store: async (session) => void (await ConsoleLinkModel.create([link], session ? { session } : {})),
  };
}

/** Creates such a link. Throws the same. */
export async function makeLink(
  projectId: string,
  publicUrl: string,
  personId: string | null = null,
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const { url, expiresAt, store } = await prepareLink(projectId, publicUrl, personId);
  await store();
  return { url, expiresAt };
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

/** Returns the filter for the session with an id. Throws `not_found` for what is none. */
function withId(sessionId: string) {
  const [, digits] = SESSION_ID.exec(sessionId) ?? [];
  if (digits === undefined) throw notFound('Session');
  return { _id: { $gte: digits, $lt: `${digits}g` } };
}

async function beginSession(
  secrets: Secrets,
  session: Pick<ConsoleSession, 'projectId' | 'keyHash' | 'personId' | 'kind' | 'factorAt' | 'bySso'>,
  until: Date,
  keyPrefix?: string,
): Promise<SignedIn> {
  const token = newToken();
  const createdAt = new Date();
  const idleAt = createdAt.getTime() + SESSION_MS;
  const endsAt = new Date(Math.min(session.personId === null ? idleAt : createdAt.getTime() + PERSON_MS, until.getTime()));
  const expiresAt = new Date(Math.min(idleAt, endsAt.getTime()));
  const _id = sha256(token);
  await ConsoleSessionModel.create({ _id, ...session, createdAt, expiresAt, endsAt });
  const by = keyPrefix === undefined ? byOf(_id, session.personId) : `key ${keyPrefix}`;
  return { projectId: session.projectId, sessionId: idOf(_id), by, cookie: cookieOf(secrets, token), expiresAt: endsAt };
}

const NEVER = new Date(8_640_000_000_000_000);

/** Signs in by a link, which is used up by it; `client` is the network address. Null if the link does not exist, or it is used up. Throws `rate_limited`. */
export async function signInByLink(secrets: Secrets, client: string, token: string): Promise<SignedIn | null> {
  await takeAttempt(secrets, client);
  if (!isToken(token)) return null;
  const link = await ConsoleLinkModel.findOneAndDelete({ _id: sha256(token), expiresAt: { $gt: new Date() } }).lean<ConsoleLink>();
  if (!link) return null;
  const { projectId, personId } = link;
  if (!grantOf(await openProject(projectId), personId)) return null;
  return beginSession(secrets, { projectId, keyHash: null, personId, kind: 'secret', factorAt: null }, NEVER);
}

/** Signs in by a secret or test key, with what it may do and until when. Otherwise why it cannot be. Throws `rate_limited`. */
export async function signInByKey(secrets: Secrets, client: string, given: string): Promise<SignedIn | KeyFault> {
  await takeAttempt(secrets, client, given);
  const found = await authenticate(given);
  if (typeof found === 'string') return found;
  const { project, key } = found;
  if (key.kind === 'public') return 'unknown';
  const session = { projectId: project._id, keyHash: key.hash, personId: null, kind: key.kind, factorAt: null };
  return beginSession(secrets, session, key.expiresAt ?? NEVER, key.prefix);
}

/** Signs a person in to a project, by what proved who it is, at `factorAt` also as a second factor. Null where the person has no place in it. */
export async function signInPerson(
  secrets: Secrets,
  projectId: string,
  personId: string,
  factorAt: Date | null = null,
): Promise<SignedIn | null> {
  if (!grantOf(await openProject(projectId), personId)) return null;
  return beginSession(secrets, { projectId, keyHash: null, personId, kind: 'secret', factorAt }, NEVER);
}

/**
 * Signs a person in to a project whom the OpenID provider vouches for. The session needs no second factor of a person who has none, and ends after half a day in any case: roles
 * follow the provider at the next one. Null as above.
 */
export async function signInBySso(secrets: Secrets, projectId: string, personId: string): Promise<SignedIn | null> {
  if (!grantOf(await openProject(projectId), personId)) return null;
  const until = new Date(Date.now() + SESSION_MS);
  return beginSession(secrets, { projectId, keyHash: null, personId, kind: 'secret', factorAt: null, bySso: true }, until);
}

/**
 * Switches to another project of the person, with a new session that ends no later. Null where the person has no place in it, for a session of no person, and
 * for one that has ended meanwhile.
 */
export async function switchProject(secrets: Secrets, { session }: SessionHolder, projectId: string): Promise<SignedIn | null> {
  const { personId, endsAt, factorAt, bySso = false } = session;
  if (personId === null || !grantOf(await openProject(projectId), personId)) return null;
  const begun = await beginSession(secrets, { projectId, keyHash: null, personId, kind: 'secret', factorAt, bySso }, endsAt);
  // In this order, anyone who ends all sessions in between ends one of the two: then neither stays.
  const { deletedCount } = await ConsoleSessionModel.deleteOne({ _id: session._id });
  if (deletedCount > 0) return begun;
  await ConsoleSessionModel.deleteOne(withId(begun.sessionId));
  return null;
}

/** A session in use, and on whose behalf. */
export interface SessionHolder extends KeyHolder {
  readonly session: ConsoleSession;
  /** The rights that the session has now. */
  readonly grant: Grant | null;
  /** The step that the person has to take before the session is good for anything else. */
  readonly waits: Waiting | null;
  readonly token: string;
}

function tokenIn(secrets: Secrets, cookie: string): string | null {
  const [token = '', signature = ''] = cookie.split('.');
  return isToken(token) && secrets.verify('session', `cookie/${token}`, signature) ? token : null;
}

/** Resolves to whose session a cookie names. Null when it is none, has ended, or the key that it was made with is no longer good. */
export async function sessionOf(secrets: Secrets, cookie: string): Promise<SessionHolder | null> {
  const token = tokenIn(secrets, cookie);
  if (token === null) return null;
  const session = await ConsoleSessionModel.findOne({ _id: sha256(token), expiresAt: { $gt: new Date() } }).lean<ConsoleSession>();
  if (!session) return null;
  const holder = session.keyHash === null ? await holderByLink(session) : await holderOfHash(session.keyHash);
  if (holder === null || typeof holder === 'string') return null;
  await keepAlive(session);
  const { project, key } = holder;
  const grant = session.keyHash === null ? grantOf(project, session.personId) : scopeOf(key);
  return { ...holder, session, grant, waits: await waitsFor(session, project), token };
}

/** Moves the end of a session that is used, if that is worth a write. A failure costs nothing: the next request tries again. */
async function keepAlive({ _id, expiresAt, endsAt }: ConsoleSession): Promise<void> {
  const next = new Date(Math.min(Date.now() + SESSION_MS, endsAt.getTime()));
  if (next.getTime() - expiresAt.getTime() < EXTENSION_MS) return;
  await ConsoleSessionModel.updateOne({ _id }, { $max: { expiresAt: next } }).catch(() => undefined);
}

/** Returns what a session without a key may do: a person what the role in the project allows, a link everything. Null where the person is no member. */
const grantOf = (project: Project | null, personId: string | null): Grant | null =>
  project && (personId === null ? 'owner' : (memberOf(project, personId)?.role ?? null));

/** Finds the holder of a session that began with a link, of a person or of none: it counts as a key of its own, for as long as it lasts. */
async function holderByLink({ _id, projectId, personId, kind, createdAt, expiresAt }: ConsoleSession): Promise<KeyHolder | null> {
  const project = await openProject(projectId);
  if (!project || !grantOf(project, personId)) return null;
  const key: KeyRow = { hash: _id, kind, scope: 'full', prefix: shownOf(_id), createdAt, expiresAt, revokedAt: null };
  return { project, key };
}

/** Returns the audit's name for a session that a link began. */
const shownOf = (hash: string): string => hash.slice(0, 8);
const SHOWN = /^[0-9a-f]{8}$/;
const CONSOLE = 'console ';
const byOf = (hash: string, personId: string | null): string => (personId === null ? CONSOLE + shownOf(hash) : byPerson(personId));

/** Resolves to whether a session that an operator's link began, as the audit names it, can be used in a project. */
export async function isOpenSession(projectId: string, by: string): Promise<boolean> {
  const shown = by.slice(CONSOLE.length);
  if (!by.startsWith(CONSOLE) || !SHOWN.test(shown)) return false;
  const where = { _id: { $gte: shown, $lt: `${shown}g` }, projectId, keyHash: null, personId: null, expiresAt: { $gt: new Date() } };
  return (await ConsoleSessionModel.exists(where)) !== null;
}

const openProject = async (projectId: string) => {
  const project = await findProject(projectId);
  return project && !project.removedAt ? project : null;
};

/** Returns the id by which a session is listed and ended. */
export const sessionIdOf = ({ session }: Pick<SessionHolder, 'session'>): string => idOf(session._id);

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
  /** The person; null of a session that began with a key or an operator's link. */
  readonly personId: string | null;
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
    rows.map(async ({ _id, keyHash, personId, createdAt, expiresAt }) => {
      const holder = keyHash === null ? null : await holderOfHash(keyHash);
      if (typeof holder === 'string') return [];
      return [{ sessionId: idOf(_id), projectId, keyPrefix: holder?.key.prefix ?? null, personId, createdAt, expiresAt }];
    }),
  );
  return listed.flat();
}

/** A session as its person sees it, in whichever project. */
export type OwnSession = Omit<ListedSession, 'keyPrefix' | 'personId'>;

/** Resolves to the sessions of a person that can be used, newest first. */
export async function sessionsOfPerson(personId: string): Promise<readonly OwnSession[]> {
  const rows = await ConsoleSessionModel.find({ personId, expiresAt: { $gt: new Date() } })
    .sort({ createdAt: -1 })
    .lean<ConsoleSession[]>();
  return rows.map(({ _id, projectId, createdAt, expiresAt }) => ({ sessionId: idOf(_id), projectId, createdAt, expiresAt }));
}

/** Ends all sessions of a person, or those in one project, and takes back links that were not used. */
export async function endSessionsOfPerson(personId: string, projectId?: string): Promise<void> {
  const where = { personId, ...(projectId !== undefined && { projectId }) };
  await ConsoleLinkModel.deleteMany(where);
  await ConsoleSessionModel.deleteMany(where);
}

/** Ends a session: any, or one of a person. Resolves to its project. Throws `not_found`. */
export async function endSession(sessionId: string, personId?: string): Promise<string> {
  const where = { ...withId(sessionId), ...(personId !== undefined && { personId }) };
  const session = await ConsoleSessionModel.findOneAndDelete(where).lean<ConsoleSession>();
  if (!session) throw notFound('Session');
  return session.projectId;
}

/** Ends all sessions of a project, and takes back links that were not used. Resolves to how many sessions there were. Throws `not_found`. */
export async function endAllSessions(projectId: string): Promise<number> {
  await getProject(projectId);
  await ConsoleLinkModel.deleteMany({ projectId });
  return (await ConsoleSessionModel.deleteMany({ projectId })).deletedCount;
}
