import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientSession } from 'mongoose';
import { batched } from '../batch';
import { AppError, notFound } from '../errors';
import { KEY_PATTERN, hashKey, makeKey } from './keys';
import { KEY_KINDS, ProjectModel } from './model';
import type { KeyKind, Plan, Project } from './model';

export type { KeyKind, Plan, Project } from './model';

export interface ProjectKeys {
  readonly projectId: string;
  readonly secret: string;
  readonly test: string;
  readonly public: string;
}

/** Makes a project with one key of each kind. The keys are returned once and stored as hashes. */
export async function createProject(name: string, now: Date = new Date()): Promise<ProjectKeys> {
  const made = KEY_KINDS.map((kind) => [kind, makeKey(kind, now)] as const);
  const project = await ProjectModel.create({
    name,
    createdAt: now,
    idSalt: randomBytes(24).toString('base64url'),
    keys: made.map(([, { row }]) => row),
  });
  return { projectId: project._id, ...(Object.fromEntries(made.map(([kind, { key }]) => [kind, key])) as Record<KeyKind, string>) };
}

export const listProjects = (): Promise<Project[]> => ProjectModel.find().sort({ createdAt: 1, _id: 1 }).lean<Project[]>();

const projectsById = batched<string, Project>(async (ids) => {
  const rows = await ProjectModel.find({ _id: { $in: [...ids] } }).lean<Project[]>();
  return new Map(rows.map((row) => [row._id, row]));
});

/** A project as it is now: one query answers all that ask together. Throws `not_found`. */
export async function getProject(projectId: string): Promise<Project> {
  const project = await projectsById(projectId);
  if (!project) throw notFound('Project');
  return project;
}

async function change(projectId: string, update: Record<string, unknown>, session?: ClientSession): Promise<void> {
  const { matchedCount } = await ProjectModel.updateOne({ _id: projectId }, update, session ? { session } : {});
  if (matchedCount === 0) throw notFound('Project');
}

export const disableProject = (projectId: string): Promise<void> => change(projectId, { $set: { disabledAt: new Date() } });

export const enableProject = (projectId: string): Promise<void> => change(projectId, { $set: { disabledAt: null } });

export const setPlan = (projectId: string, plan: Plan, session?: ClientSession): Promise<void> =>
  change(projectId, { $set: { plan } }, session);

/** Forgets what the reputation was computed from so far; what happens from now on counts. */
export const resetReputation = (projectId: string): Promise<void> =>
  change(projectId, { $set: { reputation: { state: 'ok', reason: null, resetAt: new Date() } } });

/** Changes the monthly caps that are given, and the plan unless it is null, in one write; a cap of null is removed. Throws `not_found`. */
export const setCaps = (projectId: string, caps: Partial<Project['caps']>, plan: Plan | null, session?: ClientSession): Promise<void> =>
  change(
    projectId,
    { $set: { ...Object.fromEntries(Object.entries(caps).map(([name, cap]) => [`caps.${name}`, cap])), ...(plan !== null && { plan }) } },
    session,
  );

/** Stores what a reputation was found to be, unless it was changed or reset since it was read. Resolves to whether it did. */
export async function setReputation(
  projectId: string,
  { state, reason }: Pick<Project['reputation'], 'state' | 'reason'>,
  before: Project['reputation'],
): Promise<boolean> {
  const { matchedCount } = await ProjectModel.updateOne(
    {
      _id: projectId,
      'reputation.state': before.state,
      'reputation.reason': before.reason,
      'reputation.resetAt': before.resetAt,
    },
    { $set: { 'reputation.state': state, 'reputation.reason': reason } },
  );
  return matchedCount === 1;
}

/** Projects whose reputation is not `ok`, by id. */
export async function troubledProjectIds(): Promise<readonly string[]> {
  const found = await ProjectModel.find({ 'reputation.state': { $in: ['warn', 'throttled', 'paused'] } }, { _id: 1 }).lean<
    Pick<Project, '_id'>[]
  >();
  return found.map(({ _id }) => _id);
}

/** Adds a key; it is returned once. Throws `not_found`, and `limit_exceeded` when `most` are in use. */
export async function createKey(
  projectId: string,
  kind: KeyKind,
  most: number,
): Promise<{ projectId: string; kind: KeyKind; key: string }> {
  const { key, row } = makeKey(kind, new Date());
  const inUse = { $size: { $filter: { input: '$keys', cond: { $eq: ['$$this.revokedAt', null] } } } };
  const { matchedCount } = await ProjectModel.updateOne({ _id: projectId, $expr: { $lt: [inUse, most] } }, { $push: { keys: row } });
  if (matchedCount > 0) return { projectId, kind, key };
  await getProject(projectId);
  throw new AppError('limit_exceeded', `A project has at most ${most} keys`);
}

/** Revokes the one key that begins so. Throws `not_found` when none does, `conflict` when several do: then nothing is revoked. */
export async function revokeKey(prefix: string): Promise<{ projectId: string; kind: KeyKind; prefix: string }> {
  if (prefix.length < 12) throw new AppError('validation_error', 'Give at least 12 characters of the key');
  const hash = hashKey(prefix);
  const projects = await ProjectModel.find({ 'keys.revokedAt': null }).lean<Project[]>();
  const matching = projects.flatMap((project) =>
    project.keys
      .filter((key) => key.revokedAt === null && (key.hash === hash || key.prefix.startsWith(prefix)))
      .map((key) => ({ projectId: project._id, key })),
  );
  const [match] = matching;
  if (!match) throw notFound('Key');
  if (matching.length > 1) throw new AppError('conflict', `${matching.length} keys begin so; nothing was revoked`);
  await ProjectModel.updateOne({ _id: match.projectId, 'keys.hash': match.key.hash }, { $set: { 'keys.$.revokedAt': new Date() } });
  return { projectId: match.projectId, kind: match.key.kind, prefix: match.key.prefix };
}

/** Makes every process read anew what it caches of the project's configuration. */
export const bumpConfigVersion = (projectId: string, session?: ClientSession): Promise<void> =>
  change(projectId, { $inc: { configVersion: 1 } }, session);

/** The oldest project, which the development domains belong to. */
export async function firstProjectId(): Promise<string | null> {
  const project = await ProjectModel.findOne({}, { _id: 1 }).sort({ createdAt: 1, _id: 1 }).lean<Project>();
  return project?._id ?? null;
}

/** One query for all requests of a turn of the event loop, and never an answer older than the question. */
const projectsByKeyHash = batched(async (hashes: readonly string[]) => {
  const found = await ProjectModel.collection.find<Project>({ 'keys.hash': { $in: [...hashes] } } as never).toArray();
  return new Map(found.flatMap((project) => project.keys.map((key) => [key.hash, project] as const)));
});

interface KeyHolder {
  readonly project: Project;
  readonly kind: KeyKind;
  readonly keyHash: string;
}

/** Whose key this is, or null when it is malformed, unknown or revoked. */
export async function authenticate(key: string): Promise<KeyHolder | null> {
  if (!KEY_PATTERN.test(key)) return null;
  const hash = hashKey(key);
  const project = await projectsByKeyHash(hash);
  const row = project?.keys.find((candidate) => timingSafeEqual(Buffer.from(candidate.hash), Buffer.from(hash)));
  return project && row && row.revokedAt === null ? { project, kind: row.kind, keyHash: hash } : null;
}
