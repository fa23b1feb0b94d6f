import { setTimeout as wait } from 'node:timers/promises';
import { dkimVerify } from 'mailauth/lib/dkim/verify';
import { dmarc } from 'mailauth/lib/dmarc';
import { spf } from 'mailauth/lib/spf';
import { domainOf } from '../../platform/addresses';
import type { Dns } from '../../platform/dns';
import { RESULTS } from '../../rules/authentication';
import type { Authentication, Result } from '../../rules/authentication';

/** More signatures than that are there to keep us busy; mail that lists have passed on has three or four. */
const MOST_SIGNATURES = 10;
/** What DNS does not say by then is not waited for: its verdict is `temperror`. */
const LIMIT_MS = 10_000;

/** The host that handed a message over. */
export interface SendingHost {
  readonly address: string;
  /** What it called itself. */
  readonly helo: string;
}

export interface ReceivedFrom extends SendingHost {
  readonly dns: Dns;
  readonly envelopeFrom: string;
  /** The name of this host. */
  readonly host: string;
}

export interface SignedMail {
  readonly bytes: Buffer;
  readonly signatures: number;
  /** The author in the From field; null where there is none, or more than one. */
  readonly author: string | null;
}

type Resolve = (name: string, type: string) => Promise<never>;

/** As mailauth asks: what is not there, or not known, is thrown with the code that Node has for it. */
function resolverOf(dns: Dns): Resolve {
  return async (name, type) => {
    const answer = await dns.records(name, type);
    if (answer.said === 'found') return answer.records as never;
    throw Object.assign(new Error(`DNS says nothing of ${type}`), { code: answer.said === 'none' ? 'ENOTFOUND' : 'ETIMEOUT' });
  };
}

const asResult = (text: string | undefined): Result => RESULTS.find((result) => result === text) ?? 'neutral';

const within = <T>(work: Promise<T>, fallback: T): Promise<T> => {
  const over = new AbortController();
  const late = wait(LIMIT_MS, fallback, { signal: over.signal, ref: false }).catch(() => fallback);
  return Promise.race([work.catch(() => fallback), late]).finally(() => over.abort());
};

/**
 * Resolves to what SPF, DKIM and DMARC say of a message, by the platform's own resolver. Decides nothing: mail is accepted in any case. No verdict takes longer than
 * ten seconds, and none is thrown.
 */
export async function authenticate(mail: SignedMail, from: ReceivedFrom): Promise<Authentication> {
  const resolver = resolverOf(from.dns);
  const [ofSender, ofSignatures] = await Promise.all([
    within(judgeSender(from, resolver), { spf: 'temperror', spfDomain: null }),
    within(judgeSignatures(mail, resolver), { dkim: 'temperror', dkimDomains: [] }),
  ]);
  const passed = { spf: ofSender.spf === 'pass' ? ofSender.spfDomain : null, dkim: ofSignatures.dkimDomains };
  const ofAuthor = await within(judgeAuthor(mail.author, passed, resolver), { dmarc: 'temperror', dmarcPolicy: null });
  return { ...ofSender, ...ofSignatures, ...ofAuthor };
}

async function judgeSender({ address, helo, envelopeFrom, host }: ReceivedFrom, resolver: Resolve) {
  const { status, domain } = await spf({ ip: address, helo, sender: envelopeFrom, mta: host, resolver });
  return { spf: asResult(status.result), spfDomain: /^[a-z0-9._-]{1,253}$/.test(domain) ? domain : null };
}

/** Judges DKIM signatures. One that leaves a part of the body open (`l=`) says nothing of the whole. */
async function judgeSignatures(
  { bytes, signatures }: SignedMail,
  resolver: Resolve,
): Promise<Pick<Authentication, 'dkim' | 'dkimDomains'>> {
  if (signatures === 0) return { dkim: 'none', dkimDomains: [] };
  if (signatures > MOST_SIGNATURES) return { dkim: 'policy', dkimDomains: [] };
  const { results } = await dkimVerify(bytes, { resolver });
  const judged = results.map(({ status, signingDomain }) => ({
    domain: signingDomain.toLowerCase(),
    result: status.underSized !== undefined && status.result === 'pass' ? ('policy' as const) : asResult(status.result),
  }));
  const passed = judged.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  return { dkim: passed.length > 0 ? 'pass' : (judged[0]?.result ?? 'none'), dkimDomains: [...new Set(passed)] };
}

interface Passed {
  readonly spf: string | null;
  readonly dkim: readonly string[];
}

async function judgeAuthor(
  author: string | null,
  passed: Passed,
  resolver: Resolve,
): Promise<Pick<Authentication, 'dmarc' | 'dmarcPolicy'>> {
  if (author === null) return { dmarc: 'permerror', dmarcPolicy: null };
  const domain = domainOf(author);
  const spfDomains = passed.spf === null ? [] : [passed.spf];
  const verdict = await dmarc({
    headerFrom: author,
    spfDomains,
    dkimDomains: passed.dkim.map((name) => ({ id: name, domain: name })),
    resolver,
  });
  if (!verdict) return { dmarc: 'permerror', dmarcPolicy: null };
  const { status, policy, alignment } = verdict;
  // The library says whether a record asks for strict alignment, and judges by the relaxed one.
  const isAligned = (by: 'spf' | 'dkim', names: readonly string[]): boolean =>
    alignment?.[by].strict === true ? names.includes(domain) : Boolean(alignment?.[by].result);
  const isPass = isAligned('spf', spfDomains) || isAligned('dkim', passed.dkim);
  const result = asResult(status.result);
  return {
    dmarc: result === 'pass' && !isPass ? 'fail' : result,
    dmarcPolicy: policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null,
  };
}
