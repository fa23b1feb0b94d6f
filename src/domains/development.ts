import mongoose from 'mongoose';
import type { Core } from '../context';
import { bumpConfigVersion, firstProjectId } from '../projects/service';
import { DomainModel } from './model';
import type { Domain } from './model';
import { newDomain, requiredVerified } from './row';

/** The domains of DEV_VERIFIED_DOMAINS appear in the first project as verified domains with keys of their own; one that is there already becomes one. */
export async function adoptDevelopmentDomains(core: Core, projectId: string): Promise<void> {
  const wanted = core.config.DEV_VERIFIED_DOMAINS ?? [];
  if (wanted.length === 0 || (await firstProjectId()) !== projectId) return;
  const present = await DomainModel.distinct('domain', { projectId, domain: { $in: wanted }, status: 'verified' });
  for (const domain of wanted.filter((name) => !present.includes(name))) await adoptDomain(core, projectId, domain);
}

/** Whether the operator answers for the domain, so that what it needs is not looked for in DNS. */
export const isDevelopment = ({ config }: Pick<Core, 'config'>, { domain, development }: Pick<Domain, 'domain' | 'development'>): boolean =>
  development && (config.DEV_VERIFIED_DOMAINS ?? []).includes(domain);

async function adoptDomain(core: Core, projectId: string, domain: string): Promise<void> {
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

/** Somebody else was first: with the row, or with the domain. */
export const isDuplicate = (error: unknown): boolean => error instanceof mongoose.mongo.MongoServerError && error.code === 11000;
