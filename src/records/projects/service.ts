import { randomBytes } from 'node:crypto';
import type { ClientSession, QueryFilter } from 'mongoose';
import { perDatabase } from '../../platform/mongo';
import { batched } from '../../platform/batch';
import { invalidState, notFound } from '../../platform/core';
import type { LimitName } from '../../platform/core';
import type { Brand } from '../../contracts/brand';
import type { FrequencyCap } from '../../contracts/frequency-cap';
import type { SendWindows } from '../../contracts/send-windows';
import type { TrackingWish } from '../../contracts/tracking';
import { makeKey } from './keys';
import { KEY_KINDS, ProjectModel } from './model';
import type { KeyKind, Plan, Project } from './model';

export type { Plan, Project } from './model';

export interface ProjectKeys {
  readonly projectId: string;
  readonly secret: string;
  readonly test: string;
  readonly public: string;
}

/** Creates a project with one key of each kind. The keys are returned once and stored as hashes. */
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

/** Resolves to the first project that was given a name, or null. */
export const findProjectNamed = (name: string): Promise<Project | null> => ProjectModel.findOne({ name }).sort({ _id: 1 }).lean<Project>();

const PAGE = 500;

/** Reads all projects, or those behind an id, in the order in which they were made: a page at a time. */
export async function* pagesOfProjects(after = '', filter: QueryFilter<Project> = {}): AsyncGenerator<readonly Project[]> {
  for (let last: string | undefined = after; last !== undefined;) {
    const page: Project[] = await ProjectModel.find({ ...filter, _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(PAGE)
      .lean<Project[]>();
    if (page.length > 0) yield page;
    last = page.length === PAGE ? page.at(-1)?._id : undefined;
  }
}

/** Reads the same one by one. */
export async function* allProjects(after = ''): AsyncGenerator<Project> {
  for await (const page of pagesOfProjects(after)) yield* page;
}

const projectsById = perDatabase(() =>
  batched<string, Project>(async (ids) => {
    const rows = await ProjectModel.find({ _id: { $in: [...ids] } }).lean<Project[]>();
    return new Map(rows.map((row) => [row._id, row]));
  }),
);

/** Resolves to a project as it is now, or null: one query answers all that ask together. */
export const findProject = async (projectId: string): Promise<Project | null> => (await projectsById()(projectId)) ?? null;

/** Resolves to the same. Throws `not_found`. */
export async function getProject(projectId: string): Promise<Project> {
  const project = await findProject(projectId);
  if (!project) throw notFound('Project');
  return project;
}

async function change(projectId: string, update: Record<string, unknown>, session?: ClientSession): Promise<void> {
  const { matchedCount } = await ProjectModel.updateOne({ _id: projectId }, update, session ? { session } : {});
  if (matchedCount === 0) throw notFound('Project');
}

export const disableProject = (projectId: string): Promise<void> => change(projectId, { $set: { disabledAt: new Date() } });

/** Throws `invalid_state` while the project is being removed. */
export async function enableProject(projectId: string): Promise<void> {
  const { matchedCount } = await ProjectModel.updateOne({ _id: projectId, removedAt: null }, { $set: { disabledAt: null } });
  if (matchedCount === 0) await refuseRemoved(projectId);
}

/** Throws why a project that was not found could not be changed. */
export async function refuseRemoved(projectId: string): Promise<void> {
  const { removedAt } = await getProject(projectId);
  if (removedAt) throw invalidState('The project is being removed');
}

/** Refuses all keys of a project from the commit on, for good, and all of its sends. Throws `not_found`. */
export const closeProject = (projectId: string, at: Date, session: ClientSession): Promise<void> =>
  change(projectId, { $set: { disabledAt: at, removedAt: at, 'keys.$[].revokedAt': at } }, session);

/** Forgets a project of which nothing is left. */
export const forgetProject = async (projectId: string): Promise<void> => {
  await ProjectModel.deleteOne({ _id: projectId });
};

/** Gives a project a limit of its own, instead of the default; null removes it. Throws `not_found`. */
export const setLimit = (projectId: string, name: LimitName, value: number | null): Promise<void> =>
  change(projectId, value === null ? { $unset: { [`limits.${name}`]: 1 } } : { $set: { [`limits.${name}`]: value } });

/** Removes all own limits of a project. Throws `not_found`. */
export const resetLimits = (projectId: string): Promise<void> => change(projectId, { $unset: { limits: 1 } });

export const setPlan = (projectId: string, plan: Plan, session?: ClientSession): Promise<void> =>
  change(projectId, { $set: { plan } }, session);

/** Says which version a project's strings have, in the transaction that changes them. Throws `not_found`. */
export const setTranslations = (projectId: string, translations: number, session: ClientSession): Promise<void> =>
  change(projectId, { $set: { translations } }, session);

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

type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

interface SettingsChange {
  readonly name?: string | undefined;
  readonly tracking?: Given<{ readonly transactional: TrackingWish; readonly marketing: TrackingWish }> | undefined;
  readonly consent?: Project['consent'] | undefined;
  /** Null resets all of it. */
  readonly brand?: Given<Required<Brand>> | null | undefined;
  /** Null removes them. */
  readonly windows?: SendWindows | null | undefined;
  /** All of them; none removes them. */
  readonly frequencyCaps?: readonly FrequencyCap[] | undefined;
  readonly approvalNeededAbove?: number | null | undefined;
  readonly membersNeedSecondFactor?: boolean | undefined;
}

/** Changes the settings that are given; a member that is null goes back to the default. Throws `not_found`. */
export async function changeSettings(
  projectId: string,
  { name, tracking = {}, consent, brand = {}, windows, frequencyCaps, approvalNeededAbove, membersNeedSecondFactor }: SettingsChange,
): Promise<void> {
  const given = [
    ['name', name] as const,
    ['consent', consent] as const,
    ['windows', windows] as const,
    ['frequencyCaps', frequencyCaps] as const,
    ['approvalNeededAbove', approvalNeededAbove] as const,
    ['membersNeedSecondFactor', membersNeedSecondFactor] as const,
    ...Object.entries(tracking).map(([type, wish]) => [`tracking.${type}`, wish] as const),
    ...(brand === null ? [['brand', null] as const] : Object.entries(brand).map(([member, value]) => [`brand.${member}`, value] as const)),
  ].filter(([, value]) => value !== undefined);
  if (given.length === 0) return;
  await change(projectId, {
    $set: Object.fromEntries(given.filter(([, value]) => value !== null)),
    $unset: Object.fromEntries(given.filter(([, value]) => value === null).map(([path]) => [path, 1])),
  });
}

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

/** Reads the projects whose reputation is not `ok`, a page at a time. */
export const pagesOfTroubledProjects = (): AsyncGenerator<readonly Project[]> =>
  pagesOfProjects('', { 'reputation.state': { $in: ['warn', 'throttled', 'paused'] } });

/** Invalidates the project's configuration in the caches of all processes. */
export const bumpConfigVersion = (projectId: string, session?: ClientSession): Promise<void> =>
  change(projectId, { $inc: { configVersion: 1 } }, session);

/** Resolves to the oldest project, which the development domains belong to. */
export async function firstProjectId(): Promise<string | null> {
  const project = await ProjectModel.findOne({}, { _id: 1 }).sort({ createdAt: 1, _id: 1 }).lean<Project>();
  return project?._id ?? null;
}
