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

/**
 * Judges whether receivers find one DMARC record that they heed, with any policy: at the domain, where `answer` was given, or at its organizational domain, by
 * the tree walk of RFC 9989 (4.10).
 */
export async function judgeDmarc(domain: string, answer: Answer<string>, ask: (name: string) => Promise<Answer<string>>): Promise<Verdict> {
  const own = standing(answer);
  if (own !== 'none') return own === 'unknown' ? own : verdictOf(own.tags);
  return judgeOrganization(domain, ask);
}

async function judgeOrganization(domain: string, ask: (name: string) => Promise<Answer<string>>): Promise<Verdict> {
  let organization: { readonly name: string; readonly tags: Tags | null } | null = null;
  let below = domain;
  for (const name of above(domain)) {
    const found = standing(await ask(`_dmarc.${name}`));
    if (found === 'unknown') return found;
    const psd = publicity(found);
    // A public suffix is no organization: the name below it is.
    if (psd === 'y') return organization?.name === below ? verdictOf(organization.tags) : 'wrong';
    if (found !== 'none') organization = { name, tags: found.tags };
    if (psd === 'n') break;
    below = name;
  }
  return organization ? verdictOf(organization.tags) : 'wrong';
}

const publicity = (found: 'none' | { readonly tags: Tags | null }): string | undefined =>
  found === 'none' ? undefined : found.tags?.get('psd')?.toLowerCase();
