import { DMARC_POLICIES } from '../authentication';
import type { Answer, Verdict } from './answers';
import { tagsOf } from './judge';

type Tags = ReadonlyMap<string, string>;

/** The record at a name: the tags of its DMARC record (null if they cannot be read), or `none` if there is no record, or more than one. */
type Stands = { readonly tags: Tags | null } | 'none' | 'unknown';

function standing(answer: Answer<string>): Stands {
  if (answer.said !== 'found') return answer.said;
  const records = answer.records.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text));
  return records.length === 1 ? { tags: tagsOf(records[0] ?? '') } : 'none';
}

function isPolicy(tags: Tags | null): boolean {
  const policy = tags?.get('p');
  // Without a policy but with an address for reports, it means `none`.
  return policy === undefined ? (tags?.has('rua') ?? false) : /^(none|quarantine|reject)$/i.test(policy);
}

/** A domain with more labels is followed from its last seven on (RFC 9989, 4.10). */
const MOST_LABELS = 7;

/** Lists the names above a domain that are asked, the nearest one first. */
function above(domain: string): readonly string[] {
  const labels = domain.split('.');
  const longest = Math.min(labels.length - 1, MOST_LABELS);
  return Array.from({ length: longest }, (_, index) => labels.slice(index - longest).join('.'));
}

const verdictOf = (tags: Tags | null): Verdict => (isPolicy(tags) ? 'verified' : 'wrong');

/** The record that receivers heed for a domain: its own, or that of its organizational domain. */
type Heeded = { readonly tags: Tags | null; readonly isOwn: boolean } | 'none' | 'unknown';

/**
 * Judges whether receivers find one DMARC record that they heed, with any policy: at the domain, where `answer` was given, or at its organizational domain, by
 * the tree walk of RFC 9989 (4.10).
 */
export async function judgeDmarc(domain: string, answer: Answer<string>, ask: (name: string) => Promise<Answer<string>>): Promise<Verdict> {
  const heeded = await heededRecord(domain, answer, ask);
  if (typeof heeded === 'string') return heeded === 'none' ? 'wrong' : heeded;
  return verdictOf(heeded.tags);
}

/** The treatment of a domain's mail that fails DMARC, and whether SPF counts for it only with exactly this domain. */
export interface DmarcPolicy {
  readonly policy: (typeof DMARC_POLICIES)[number];
  readonly strictSpf: boolean;
}

/** Finds the policy that receivers heed for mail from a domain (RFC 9989, 4.10). A policy that is only tested (`t=y`, `pct=0`) asks for nothing. */
export async function dmarcPolicy(
  domain: string,
  answer: Answer<string>,
  ask: (name: string) => Promise<Answer<string>>,
): Promise<DmarcPolicy | 'none' | 'unknown'> {
  const heeded = await heededRecord(domain, answer, ask);
  if (typeof heeded === 'string') return heeded;
  const { tags, isOwn } = heeded;
  return tags && isPolicy(tags) ? { policy: requested(tags, isOwn), strictSpf: tags.get('aspf')?.toLowerCase() === 's' } : 'none';
}

/** Returns what a record asks receivers to do with mail that fails; that of an organization has a policy of its own for the domains below it. */
function requested(tags: Tags, isOwn: boolean): DmarcPolicy['policy'] {
  if (tags.get('t')?.toLowerCase() === 'y' || tags.get('pct') === '0') return 'none';
  const asked = ((isOwn ? undefined : tags.get('sp')) ?? tags.get('p') ?? 'none').toLowerCase();
  return DMARC_POLICIES.find((policy) => policy === asked) ?? 'none';
}

async function heededRecord(domain: string, answer: Answer<string>, ask: (name: string) => Promise<Answer<string>>): Promise<Heeded> {
  const own = standing(answer);
  if (own === 'unknown') return own;
  return own === 'none' ? recordOfOrganization(domain, ask) : { tags: own.tags, isOwn: true };
}

async function recordOfOrganization(domain: string, ask: (name: string) => Promise<Answer<string>>): Promise<Heeded> {
  let organization: { readonly name: string; readonly tags: Tags | null } | null = null;
  const heeded = (): Heeded => (organization ? { tags: organization.tags, isOwn: false } : 'none');
  let below = domain;
  for (const name of above(domain)) {
    const found = standing(await ask(`_dmarc.${name}`));
    if (found === 'unknown') return found;
    const psd = publicity(found);
    // A public suffix is no organization: the name below it is.
    if (psd === 'y') return organization?.name === below ? heeded() : 'none';
    if (found !== 'none') organization = { name, tags: found.tags };
    if (psd === 'n') break;
    below = name;
  }
  return heeded();
}

const publicity = (found: 'none' | { readonly tags: Tags | null }): string | undefined =>
  found === 'none' ? undefined : found.tags?.get('psd')?.toLowerCase();
