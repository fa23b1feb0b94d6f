import { dmarc } from 'mailauth/lib/dmarc';
import { domainOf, normalizeAddress } from '../../platform/addresses';
import { judgeByKey } from '../../message/dkim';
import type { Claim, OpenClaim } from '../../message/dkim';
import { unlessLate } from '../../platform/async';
import type { Core } from '../../platform/core';
import type { Dns } from '../../platform/dns';
import { RESULTS } from '../../rules/authentication';
import type { Authentication, Result } from '../../rules/authentication';
import type { Examined } from './examine';
import { checkSpf } from './spf';

/** Time limit for DNS: an answer that takes longer gives the verdict `temperror`. */
const LIMIT_MS = 10_000;

/** The host that handed a message over. */
interface SendingHost {
  readonly address: string;
  /** The name that it gave in HELO. */
  readonly helo: string;
}

/** The envelope sender and the host of a message. */
export interface Origin {
  /** Empty for the null sender. */
  readonly envelopeFrom: string;
  readonly host: SendingHost;
}

type Resolve = (name: string, type: string) => Promise<never>;

/** Answers in mailauth's form: a missing or unknown record is thrown with Node's error code. */
function resolverOf(dns: Dns): Resolve {
  return async (name, type) => {
    const answer = await dns.records(name, type);
    if (answer.said === 'found') return answer.records as never;
    throw Object.assign(new Error(`No DNS answer for ${type}`), { code: answer.said === 'none' ? 'ENOTFOUND' : 'ETIMEOUT' });
  };
}

const asResult = (text: string | undefined): Result => RESULTS.find((result) => result === text) ?? 'neutral';

const within = <T>(work: Promise<T>, fallback: T): Promise<T> =>
  unlessLate(
    LIMIT_MS,
    work.catch(() => fallback),
    () => fallback,
  );

/**
 * Resolves to what SPF, DKIM and DMARC say of a message, by the platform's own resolver. Decides nothing: mail is accepted in any case. No verdict waits for
 * DNS longer than ten seconds, and none is thrown.
 */
export async function authenticationOf(
  { dns }: Pick<Core, 'dns'>,
  { mail, claims }: Pick<Examined, 'mail' | 'claims'>,
  origin: Origin,
): Promise<Authentication> {
  const [ofSender, ofSignatures] = await Promise.all([
    within(judgeSender(origin, dns), { spf: 'temperror', spfDomain: null }),
    within(judgeSignatures(claims, dns), { dkim: 'temperror', dkimDomains: [] }),
  ]);
  const passed = { spf: ofSender.spf === 'pass' ? ofSender.spfDomain : null, dkim: ofSignatures.dkimDomains };
  const author = mail.hasOneAuthor ? normalizeAddress(mail.author.address) : null;
  const ofAuthor = await within(judgeAuthor(author, passed, resolverOf(dns)), { dmarc: 'temperror', dmarcPolicy: null });
  return { ...ofSender, ...ofSignatures, ...ofAuthor };
}

async function judgeSender({ envelopeFrom, host }: Origin, dns: Dns): Promise<Pick<Authentication, 'spf' | 'spfDomain'>> {
  const { result, domain } = await checkSpf(dns, { ...host, envelopeFrom });
  return { spf: result, spfDomain: /^[a-z0-9._-]{1,253}$/.test(domain) ? domain : null };
}

async function judgeSignatures(claims: readonly Claim[], dns: Dns): Promise<Pick<Authentication, 'dkim' | 'dkimDomains'>> {
  const judged = await Promise.all(
    claims.map(async (claim) => ({
      domain: claim.domain,
      result: claim.kind === 'judged' ? claim.result : await judgeSignature(claim, dns),
    })),
  );
  const passed = judged.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
  const first = judged.find(({ result }) => result !== 'none')?.result ?? 'none';
  return { dkim: passed.length > 0 ? 'pass' : first, dkimDomains: [...new Set(passed)] };
}

async function judgeSignature(claim: OpenClaim, dns: Dns): Promise<Result> {
  const answer = await dns.txt(`${claim.selector}._domainkey.${claim.domain}`);
  if (answer.said === 'unknown') return 'temperror';
  return answer.said === 'found' ? judgeByKey(claim, answer.records[0] ?? '') : 'neutral';
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
