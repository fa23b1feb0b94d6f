import { isDuplicate } from '../../platform/mongo';
import type { Core } from '../../platform/core';
import { bumpConfigVersion, firstProjectId } from '../../records/projects';
import { DomainModel } from './model';
import type { Domain } from './model';
import { newDomain, requiredVerified } from './row';

type DevelopmentCore = Pick<Core, 'config' | 'secrets'>;

const LABEL_LENGTH = 8;

/** Returns the domain that a project has below DEV_PROJECT_DOMAINS; null without that setting. */
const ownDomain = ({ config }: Pick<Core, 'config'>, projectId: string): string | null =>
  config.DEV_PROJECT_DOMAINS === undefined ? null : `${projectId.slice(-LABEL_LENGTH)}.${config.DEV_PROJECT_DOMAINS}`;

async function wantedOf(core: DevelopmentCore, projectId: string): Promise<readonly string[]> {
  const listed = core.config.DEV_VERIFIED_DOMAINS ?? [];
  const own = ownDomain(core, projectId);
  if (listed.length === 0) return own === null ? [] : [own];
  if ((await firstProjectId()) === projectId) return listed;
  return own === null ? [] : [own];
}

/**
 * Creates development domains as verified ones with keys of their own: the domains of DEV_VERIFIED_DOMAINS in the first project, one domain
 * in every other. An existing domain becomes one.
 */
export async function adoptDevelopmentDomains(core: DevelopmentCore, projectId: string): Promise<void> {
  const wanted = await wantedOf(core, projectId);
  if (wanted.length === 0) return;
  const present = await DomainModel.distinct('domain', { projectId, domain: { $in: wanted }, status: 'verified' });
  for (const domain of wanted.filter((name) => !present.includes(name))) await adoptDomain(core, projectId, domain);
}

/** Returns whether the operator answers for the domain, so that what it needs is not looked for in DNS. */
export const isDevelopment = (core: Pick<Core, 'config'>, { projectId, domain, development }: Domain): boolean =>
  development && ((core.config.DEV_VERIFIED_DOMAINS ?? []).includes(domain) || domain === ownDomain(core, projectId));

async function adoptDomain(core: DevelopmentCore, projectId: string, domain: string): Promise<void> {
  const now = new Date();
  const { status: _status, records: _records, verifiedAt: _verifiedAt, ...fresh } = await newDomain(core, projectId, domain, now);
  const { development: _development, nextCheckAt: _nextCheckAt, revision: _revision, ...inserted } = fresh;
  const verified = { status: 'verified' as const, records: requiredVerified(), verifiedAt: now, development: true, nextCheckAt: null };
  try {
    const unlessVerified = { projectId, domain, status: { $ne: 'verified' as const } };
    await DomainModel.updateOne(unlessVerified, { $set: verified, $setOnInsert: inserted, $inc: { revision: 1 } }, { upsert: true });
    await bumpConfigVersion(projectId);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
}
