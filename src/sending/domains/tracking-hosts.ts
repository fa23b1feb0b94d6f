import type { QueryFilter } from 'mongoose';
import { trackedDomainOf } from '../../rules/domains/records';
import { DomainModel } from './model';
import type { Domain } from './model';

/** Resolves to the project whose links name this host, once the host's record leads here; null for any other host. */
export async function projectTrackedAt(host: string): Promise<string | null> {
  const domain = trackedDomainOf(host);
  if (domain === null) return null;
  const verified: QueryFilter<Domain> = { domain, status: 'verified', 'records.tracking': 'verified' };
  return (await DomainModel.findOne(verified, { projectId: 1 }).lean<Pick<Domain, 'projectId'>>())?.projectId ?? null;
}

/** Resolves to whether a proxy may get a certificate for a host. */
export const isTrackingHost = async (host: string): Promise<boolean> => (await projectTrackedAt(host.toLowerCase())) !== null;
