import type { Core } from '../../platform/core';
import { firstProjectId } from '../../records/projects';
import { adoptDevelopmentDomains } from './development';
import { DomainModel } from './model';
import type { Domain } from './model';

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
