import { timingSafeEqual } from 'node:crypto';
import { databaseNow, perDatabase } from '../../platform/mongo';
import { batched } from '../../platform/batch';
import { AppError, notFound } from '../../platform/core';
import { forgetUses, lastUses } from './key-uses';
import { KEY_PATTERN, beginsWith, faultOfBeginning, hashKey, keyIdOf, makeKey, scopeOf } from './keys';
import type { KeyAccess, KeyMaker } from './keys';
import { memberOf, personNamed } from './members';
import { ProjectModel } from './model';
import type { KeyKind, KeyRow, KeyScope, Project } from './model';
import { getProject, refuseRemoved } from './service';

export type { KeyKind } from './model';

/** Every request reads its project with all keys: of revoked and expired ones the newest stay, as many as this. */
const MOST_ENDED = 100;
/** Each key has a rate of its own: a caller that could make keys as fast as requests come would have no limit. Of each kind, so that none takes another's. */
export const MOST_KEYS_AN_HOUR = 50;
const HOUR_MS = 3_600_000;

const isInUse = {
  $and: [
    { $eq: ['$$this.revokedAt', null] },
    { $or: [{ $eq: [{ $ifNull: ['$$this.expiresAt', null] }, null] }, { $gt: ['$$this.expiresAt', '$$NOW'] }] },
  ],
};
const keysWhere = (cond: object) => ({ $filter: { input: '$keys', cond } });
const numberOf = (cond: object) => ({ $size: keysWhere(cond) });
const isOfLastHour = { $gt: ['$$this.createdAt', { $subtract: ['$$NOW', HOUR_MS] }] };
const isOfKind = (kind: KeyKind) => ({ $eq: ['$$this.kind', kind] });
/** Keys are in the order of their creation. */
const keysThatStay = {
  $let: {
    vars: { ended: { $slice: [keysWhere({ $not: [isInUse] }), -MOST_ENDED] } },
    in: keysWhere({ $or: [isInUse, isOfLastHour, { $in: ['$$this.hash', '$$ended.hash'] }] }),
  },
};
const hashesThatGo = { $setDifference: ['$keys.hash', { $map: { input: keysThatStay, in: '$$this.hash' } }] };

interface MadeKey extends KeyAccess {
  readonly projectId: string;
  readonly kind: KeyKind;
  readonly key: string;
  /** The beginning of the key, by which it is listed. */
  readonly prefix: string;
}

/** Bounds on the creation of a key, and who makes it. */
interface KeyMaking {
  readonly mostAnHour?: number;
  readonly maker?: KeyMaker;
  /** Limit for the keys of the kind that the maker has, and for those of an hour; also through other keys. */
  readonly mostOfMaker?: number;
}

/** A bound on the keys of a kind: of a project, or of one origin in it. */
interface Bound {
  /** The one whom it bounds, for the caller. */
  readonly whose: string;
  readonly origin?: string;
  readonly most: number;
  readonly mostAnHour: number;
}

const boundsOf = (maker: KeyMaker | undefined, most: number | undefined): readonly Bound[] =>
  maker && most !== undefined ? [{ whose: 'A person with your role', origin: maker.origin, most, mostAnHour: most }] : [];

const withMember = (personId: string | null) => (personId === null ? {} : { 'members.personId': personId });

/**
 * Adds a key, which is returned once, and drops all revoked and expired keys but those of the last hour and the 100 that were made last. Exact by the
 * database's clock, however many are made at once.
 * Throws `not_found`, `invalid_state` while the project is being removed, `limit_exceeded` when `most` of the kind can be used, which leaves out those that were
 * revoked or have expired, and `rate_limited` when `mostAnHour` of it were made within an hour, which does not. Throws `forbidden` for a person who is no member
 * any more: the keys of a removed person are known when the removal commits.
 */
export async function createKey(
  projectId: string,
  kind: KeyKind,
  most: number,
  access: KeyAccess = {},
  { mostAnHour = Number.MAX_SAFE_INTEGER, maker, mostOfMaker }: KeyMaking = {},
): Promise<MadeKey> {
  const { key, row } = makeKey(kind, new Date(), access, maker);
  const bounds: readonly Bound[] = [{ whose: 'A project', most, mostAnHour }, ...boundsOf(maker, mostOfMaker)];
  const personId = personNamed(maker?.createdBy ?? '');
  const added = { $mergeObjects: [{ $literal: row }, { createdAt: '$$NOW' }] };
  const before = await ProjectModel.collection.findOneAndUpdate(
    { _id: projectId, removedAt: null, ...withMember(personId), $expr: hasRoom(kind, bounds) },
    [{ $set: { keys: { $concatArrays: [keysThatStay, [added]] } } }],
    { returnDocument: 'before', projection: { gone: hashesThatGo } },
  );
  if (!before) throw await refusalOf(projectId, kind, bounds, personId);
  // The key is made whatever becomes of this: what is left behind goes by its age.
  await forgetUses((before['gone'] ?? []) as readonly string[]).catch(() => undefined);
  return { projectId, kind, key, prefix: row.prefix, ...access };
}

/** Holds for a project that has room for a key of the kind. */
const hasRoom = (kind: KeyKind, bounds: readonly Bound[]) => ({
  $and: bounds.flatMap(({ origin, most, mostAnHour }) => {
    const isBound = [isOfKind(kind), ...(origin === undefined ? [] : [{ $eq: ['$$this.origin', origin] }])];
    const fits = (cond: object, limit: number) => ({ $lt: [numberOf({ $and: [...isBound, cond] }), limit] });
    return [fits(isInUse, most), fits(isOfLastHour, mostAnHour)];
  }),
});

/** Finds why a key was not added. The reason may be gone since: then it can be tried again. */
async function refusalOf(projectId: string, kind: KeyKind, bounds: readonly Bound[], personId: string | null): Promise<AppError> {
  await refuseRemoved(projectId);
  const project = await getProject(projectId);
  if (personId !== null && !memberOf(project, personId)) return new AppError('forbidden', 'You are not a member of this project');
  const bound = bounds.map((each) => {
    const keys = project.keys.filter((key) => key.kind === kind && (each.origin === undefined || key.origin === each.origin));
    return { ...each, keys, freeAt: (keys.at(-each.mostAnHour)?.createdAt.getTime() ?? 0) + HOUR_MS };
  });
  const full = bound.find(({ keys, most }) => keys.filter((key) => faultOf(key) === null).length >= most);
  if (full) return new AppError('limit_exceeded', `${full.whose} has at most ${full.most} ${kind} keys`);
  const { whose, mostAnHour, freeAt } = bound.reduce((last, each) => (each.freeAt > last.freeAt ? each : last));
  const seconds = Math.max(1, Math.ceil((freeAt - (await databaseNow()).getTime()) / 1_000));
  const message = `${whose} can create at most ${mostAnHour} ${kind} keys an hour; try again in ${seconds} s`;
  return new AppError('rate_limited', message, [], { headers: { 'Retry-After': String(seconds) } });
}

/** A key without its secret. */
export interface ListedKey {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly prefix: string;
  /** Null of a public key. */
  readonly scope: KeyScope | null;
  /** The maker, as the audit names callers; null of a key that an operator made. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** To the minute; null when it was not within 400 days. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Resolves to a project's keys, oldest first. Throws `not_found`. */
export async function listKeys(projectId: string): Promise<readonly ListedKey[]> {
  const { keys } = await getProject(projectId);
  const uses = await lastUses(keys.map(({ hash }) => hash));
  return keys.map((key) => ({
    keyId: keyIdOf(key.hash),
    kind: key.kind,
    prefix: key.prefix,
    scope: scopeOf(key),
    createdBy: key.createdBy ?? null,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: uses.get(key.hash) ?? null,
    revokedAt: key.revokedAt,
  }));
}

/** Revokes the one key that begins so. Throws `validation_error`, `not_found` when none does, `conflict` when several do: then nothing is revoked. */
export async function revokeKey(beginning: string): Promise<{ projectId: string; kind: KeyKind; prefix: string }> {
  const fault = faultOfBeginning(beginning);
  if (fault !== null) throw new AppError('validation_error', fault);
  const projects = await ProjectModel.find({ 'keys.revokedAt': null }, { keys: 1 }).lean<Pick<Project, '_id' | 'keys'>[]>();
  const matching = projects.flatMap(({ _id, keys }) =>
    keys.filter((key) => key.revokedAt === null && beginsWith(key, beginning)).map((key) => ({ projectId: _id, key })),
  );
  const [match] = matching;
  if (!match) throw notFound('Key');
  if (matching.length > 1) throw new AppError('conflict', `${matching.length} keys begin with these characters; none was revoked`);
  const { projectId, key } = match;
  await revoke(projectId, key.hash);
  return { projectId, kind: key.kind, prefix: key.prefix };
}

/** Revokes all keys of a project. Resolves to how many could be used until then. Throws `not_found`. */
export async function revokeAllKeys(projectId: string): Promise<number> {
  const before = await ProjectModel.collection.findOneAndUpdate(
    { _id: projectId },
    { $set: { 'keys.$[each].revokedAt': new Date() } },
    { arrayFilters: [{ 'each.revokedAt': null }], returnDocument: 'before' },
  );
  if (!before) throw notFound('Project');
  return (before as unknown as Project).keys.filter((key) => faultOf(key) === null).length;
}

/**
 * Revokes a key of a project, of one of these kinds; with an origin, a key of this origin alone. Throws `not_found`, also of one that was revoked, and `forbidden`
 * for a key of another origin.
 */
export async function revokeKeyOf(projectId: string, keyId: string, kinds: readonly KeyKind[], origin?: string): Promise<ListedKey> {
  const { keys } = await getProject(projectId);
  const key = keys.find(({ hash, kind, revokedAt }) => keyIdOf(hash) === keyId && kinds.includes(kind) && revokedAt === null);
  if (!key) throw notFound('Key');
  if (origin !== undefined && key.origin !== origin) throw new AppError('forbidden', 'Your role revokes only the keys that you made');
  await revoke(projectId, key.hash);
  return listedKey(projectId, key.prefix);
}

/** Resolves to what is listed of one key. Throws `not_found`. */
export async function listedKey(projectId: string, prefix: string): Promise<ListedKey> {
  const listed = (await listKeys(projectId)).find((key) => key.prefix === prefix);
  if (!listed) throw notFound('Key');
  return listed;
}

async function revoke(projectId: string, hash: string): Promise<void> {
  const { matchedCount } = await ProjectModel.updateOne(
    { _id: projectId, keys: { $elemMatch: { hash, revokedAt: null } } },
    { $set: { 'keys.$.revokedAt': new Date() } },
  );
  // Somebody else has revoked it meanwhile.
  if (matchedCount === 0) throw notFound('Key');
}

/** One query for all requests of an iteration of the event loop, and never an answer older than the question. */
const projectsByKeyHash = perDatabase(() =>
  batched(async (hashes: readonly string[]) => {
    const found = await ProjectModel.collection.find<Project>({ 'keys.hash': { $in: [...hashes] } }).toArray();
    return new Map(found.flatMap((project) => project.keys.map((key) => [key.hash, project] as const)));
  }),
);

/** The project that an API key opens, and the key. */
export interface KeyHolder {
  readonly project: Project;
  readonly key: KeyRow;
}

/** Why a key is refused: `unknown` if it is malformed or no project has it. */
export type KeyFault = 'unknown' | 'revoked' | 'expired';

function faultOf({ revokedAt, expiresAt }: KeyRow): KeyFault | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : null;
}

/** Resolves to whose key this is, or why it is refused. */
export const authenticate = async (given: string): Promise<KeyHolder | KeyFault> =>
  KEY_PATTERN.test(given) ? holderOfHash(hashKey(given)) : 'unknown';

/** Resolves to the same of a key of which the hash alone is known. */
export async function holderOfHash(hash: string): Promise<KeyHolder | KeyFault> {
  const project = await projectsByKeyHash()(hash);
  const key = project?.keys.find((candidate) => timingSafeEqual(Buffer.from(candidate.hash), Buffer.from(hash)));
  if (!project || !key) return 'unknown';
  return faultOf(key) ?? { project, key };
}
