import { withinLimit } from '../../platform/async';
import type { Core } from '../../platform/core';
import { dmarcPolicy } from '../../rules/domains/dmarc';
import type { DmarcPolicy } from '../../rules/domains/dmarc';
import { judgeDkim } from '../../rules/domains/judge';
import type { Verdict } from '../../rules/domains/answers';
import { bounceStatus } from '../../rules/domains/records';
import { adoptDevelopmentDomains } from './lookups';
import { findVerified } from './model';
import type { Domain } from './model';
import { dnsRecordsOf } from './row';

type AlignmentCore = Pick<Core, 'config' | 'dns' | 'secrets'>;

/** The facts by which mail from a domain passes or fails DMARC now. */
export interface Alignment {
  /** The policy for mail that fails; `none`: no record, `unknown`: DNS did not say. */
  readonly policy: DmarcPolicy | 'none' | 'unknown';
  /** Null of a domain that the project has not verified, whose mail is not signed. */
  readonly domain: Pick<Domain, 'development'> | null;
  /** Whether DNS has the key that signs as this domain. */
  readonly dkim: Verdict;
  /** Whether SPF passes for a domain that is aligned. */
  readonly spf: boolean;
}

async function keyVerdict({ config, dns }: AlignmentCore, row: Domain): Promise<Verdict> {
  const record = dnsRecordsOf({ config }, row).find(({ key }) => key === 'dkim');
  return record ? judgeDkim(await dns.txt(record.host), row.dkimPublicKey) : 'unknown';
}

const policyOf = async ({ dns }: AlignmentCore, domain: string): Promise<Alignment['policy']> =>
  dmarcPolicy(domain, await dns.txt(`_dmarc.${domain}`), (name) => dns.txt(name));

/**
 * Returns whether the bounce domain is below the From domain: aligned, unless the policy wants the domain itself. Rows of development
 * domains may have no records.
 */
const isSpfAligned = (row: Domain, policy: Alignment['policy']): boolean =>
  !row.development && bounceStatus(row.records) === 'verified' && !(typeof policy === 'object' && policy.strictSpf);

/** Looks up whether mail from a domain passes DMARC (RFC 9989): its key, its bounce domain and the policy that receivers heed. */
export async function alignmentOf(core: AlignmentCore, projectId: string, domain: string): Promise<Alignment> {
  await adoptDevelopmentDomains(core, projectId);
  const row = await findVerified(projectId, domain);
  const [policy, dkim] = await Promise.all([policyOf(core, domain), row ? keyVerdict(core, row) : ('wrong' as const)]);
  return { policy, domain: row, dkim, spf: row !== null && isSpfAligned(row, policy) };
}

/** Answers that DNS does not give in this time are unknown, and stop no launch. */
const LAUNCH_MS = 1_000;

/**
 * Does as `alignmentOf` for a launch: asks for the key alone where that exists, and for a second at most. Null when nothing is known to be wrong.
 */
export async function misalignmentOf(core: AlignmentCore, projectId: string, domain: string): Promise<Alignment | null> {
  const row = await findVerified(projectId, domain);
  if (!row || row.development) return null;
  const judge = async (): Promise<Alignment | null> => {
    const dkim = await keyVerdict(core, row);
    if (dkim !== 'wrong') return null;
    const policy = await policyOf(core, domain);
    return { policy, domain: row, dkim, spf: isSpfAligned(row, policy) };
  };
  return withinLimit(LAUNCH_MS, judge).catch(() => null);
}
