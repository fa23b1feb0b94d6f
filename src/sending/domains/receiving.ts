import type { QueryFilter } from 'mongoose';
import { getPublicSuffix } from 'tldts';
import type { Core } from '../../platform/core';
import { firstProjectId } from '../../records/projects';
import { adoptDevelopmentDomains } from './development';
import { DomainModel } from './model';
import type { Domain } from './model';
import { trackedDomainOf } from '../../rules/domains/records';
import { isKnownDomain } from '../../rules/verify/known-domains';

/** Returns whether a domain belongs to everybody: names are registered below it (the Public Suffix List), or a provider gives mailboxes in it to anybody. */
export const isPublicDomain = (domain: string): boolean =>
  isKnownDomain(domain) || getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

/** Resolves to the project that has verified a domain, which is in lower case and ASCII, and so receives its mail; null when none has. */
export async function projectReceivingAt(core: Core, domain: string): Promise<string | null> {
  const owner = await ownerOf(domain);
  if (owner !== null || !core.config.DEV_VERIFIED_DOMAINS?.includes(domain)) return owner;
  // Development domains appear when their project is first asked for its domains.
  const projectId = await firstProjectId();
  if (projectId === null) return null;
  await adoptDevelopmentDomains(core, projectId);
  return ownerOf(domain);
}

async function ownerOf(domain: string): Promise<string | null> {
  const row = await DomainModel.findOne({ domain, status: 'verified' }, { projectId: 1 }).lean<Pick<Domain, 'projectId'>>();
  return row?.projectId ?? null;
}

export type Owner = Pick<Domain, 'projectId' | 'domain' | 'selector'>;

/** Resolves to those of some names that are verified domains, with the project of each. */
export async function ownersOf(names: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
  const rows = await DomainModel.find(
    { domain: { $in: [...names] }, status: 'verified' },
    { _id: 0, projectId: 1, domain: 1, selector: 1 },
  ).lean<Owner[]>();
  return new Map(rows.map((row) => [row.domain, row]));
}

/** Resolves to the project whose links name this host, once the host's record leads here; null for any other host. */
export async function projectTrackedAt(host: string): Promise<string | null> {
  const domain = trackedDomainOf(host);
  if (domain === null) return null;
  const verified: QueryFilter<Domain> = { domain, status: 'verified', 'records.tracking': 'verified' };
  return (await DomainModel.findOne(verified, { projectId: 1 }).lean<Pick<Domain, 'projectId'>>())?.projectId ?? null;
}

/** Resolves to whether a proxy may get a certificate for a host. */
export const isTrackingHost = async (host: string): Promise<boolean> => (await projectTrackedAt(host.toLowerCase())) !== null;
