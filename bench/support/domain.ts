import { DomainModel } from '../../src/sending/domains/model';
import { newDomain, requiredVerified } from '../../src/sending/domains/row';
import { quietCore } from './mail';

/** Gives a project a verified domain, as it is stored. */
export async function addVerifiedDomain(env: Readonly<Record<string, string>>, projectId: string, domain: string): Promise<void> {
  const now = new Date();
  const row = await newDomain(quietCore(env), projectId, domain, now);
  await DomainModel.create({ ...row, status: 'verified', records: requiredVerified(), verifiedAt: now, nextCheckAt: null });
}
