import { statusIn } from './reply-codes';
import { plainWords } from './refusal-words';

/** The rule for senders that is not met, as a provider's refusal says. */
export type Policy = 'authentication' | 'spf' | 'dkim' | 'dmarc' | 'ptr' | 'tls' | 'volume';

interface PolicyRule {
  readonly policy: Policy;
  /** Second and third part of the enhanced codes that say so (RFC 7372, and those of Gmail, Outlook and Yahoo). */
  readonly statuses: readonly string[];
  /** Looked for in what `plainWords` returns. */
  readonly words: RegExp;
}

/** The first rule that fits decides; a code says more than words. */
const RULES: readonly PolicyRule[] = [
  { policy: 'ptr', statuses: ['7.25'], words: /\b(?:ptr|reverse dns) records?\b/ },
  { policy: 'tls', statuses: ['7.29'], words: /\bnot sent over a tls connection\b/ },
  { policy: 'spf', statuses: ['7.23', '7.24', '7.27'], words: /\bspf\b[^.;]{0,40}\b(?:fail|did not pass|not pass|does not designate)/ },
  { policy: 'dkim', statuses: ['7.20', '7.21', '7.22', '7.30'], words: /\bdkim\b[^.;]{0,40}\b(?:fail|did not pass|not pass|invalid)/ },
  { policy: 'dmarc', statuses: ['7.32', '7.40', '7.509'], words: /\bdmarc\b|\bnot aligned\b|\balign(?:ment|ed with)\b/ },
  {
    policy: 'authentication',
    statuses: ['7.26', '7.515', '7.9'],
    words: /\bunauthenticated (?:e-?)?mail\b|\brequired authentication level\b|\bbulk sender|\bsender guidelines\b/,
  },
  { policy: 'volume', statuses: [], words: /\btss0\d\b/ },
];

/** `5.7.27` has two meanings: SPF failed (Gmail), or the sender has a null MX (RFC 7505). */
const NO_MX = /\bnull mx\b/;

interface SaidBy {
  readonly code: number | null;
  readonly enhanced: string | null;
  readonly words: string;
}

/** Returns what a refusal, for now or for good, says about the rules for senders; null where it says nothing of the kind. */
export function policyOf({ code, enhanced, words }: SaidBy): Policy | null {
  if (code === null || code < 400) return null;
  const plain = plainWords(words.slice(0, LENGTH));
  const byStatus = ruleForStatus(enhanced ?? statusIn(words));
  const rule = byStatus ?? RULES.find((one) => one.words.test(plain));
  return rule && !(rule === byStatus && NO_MX.test(plain)) ? rule.policy : null;
}

const ruleForStatus = (status: string | null): PolicyRule | undefined =>
  RULES.find(({ statuses }) => status !== null && statuses.includes(status.slice('5.'.length)));

const LENGTH = 2_000;

/** The records of a sending domain by which a policy is met. */
const RECORDS: Readonly<Record<Policy, readonly ('dkim' | 'spf' | 'dmarc')[]>> = {
  authentication: ['dkim', 'dmarc'],
  spf: ['spf'],
  dkim: ['dkim'],
  dmarc: ['dkim', 'dmarc'],
  ptr: [],
  tls: [],
  volume: [],
};

export const recordsFor = (policy: Policy): readonly ('dkim' | 'spf' | 'dmarc')[] => RECORDS[policy];

/** Returns what a sender can do about a policy, for people. */
export const remedyOf = (policy: Policy): string => REMEDIES[policy];

const REMEDIES: Readonly<Record<Policy, string>> = {
  authentication: 'The provider could not authenticate the mail. Publish the DKIM and DMARC records of the sending domain.',
  spf: 'SPF failed. Publish the SPF record of the sending domain, and let it include the servers that send.',
  dkim: 'DKIM failed. Publish the DKIM record of the sending domain as it is shown there.',
  dmarc: 'The From domain does not pass DMARC. Publish its DKIM and DMARC records.',
  ptr: 'The sending server has no matching PTR record. The operator of the server has to publish one.',
  tls: 'The provider takes mail over TLS only. Let the operator turn on TLS for outgoing mail.',
  volume: 'The provider slows this sender down, because of its volume or complaints. Send less, and only to people who expect it.',
};

/** Refusals of one provider count together for this long. */
export const COUNTED_MS = 3_600_000;

const FIRST_CHECK_MS = 300_000;
const LONGEST_CHECK_MS = 3_600_000;

/** Returns after how long a hold is checked again, after this many checks that did not end it: 5 minutes, then twice as long each time, up to an hour. */
export const checkDelay = (checks: number): number => Math.min(LONGEST_CHECK_MS, FIRST_CHECK_MS * 2 ** Math.min(checks, 10));
