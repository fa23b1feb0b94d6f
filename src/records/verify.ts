import { parseAddress } from '../platform/addresses';
import type { Address } from '../platform/addresses';
import type { Context, Core } from '../platform/core';
import { isFreeProvider } from '../rules/verify/known-domains';
import { isRole, suggestDomain, judgeAddress } from '../rules/verify/verdict';
import type { Checks, Reason, Result } from '../rules/verify/verdict';
import { findSuppression } from './suppressions';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { lazily } from '../rules/lazily';
import { LRUCache } from 'lru-cache';
import { perCore } from '../platform/core';
import { exchangesOf } from '../platform/dns';
import type { Dns } from '../platform/dns';

export { REASONS, RESULTS } from '../rules/verify/verdict';

/** Facts about an address without sending to it. */
interface Verdict {
  /** In its stored form; as it was given where it is no address. */
  readonly email: string;
  readonly result: Result;
  readonly reason: Reason;
  /** The address that was probably meant. */
  readonly suggestion: string | null;
  readonly checks: Checks;
}

const NO_ADDRESS: Checks = {
  syntax: false,
  mx: false,
  disposable: false,
  role: false,
  freeProvider: false,
  suppressed: false,
  nullMx: false,
};

/** Checks any text as an address, by its form, by what DNS says of its domain, and by the project's suppressions; no mail server is contacted. */
export async function verifyAddress(ctx: Context, text: string): Promise<Verdict> {
  const address = parseAddress(text);
  if (!address) return { email: text, ...judgeAddress(NO_ADDRESS, null), suggestion: suggestionFor(text), checks: NO_ADDRESS };
  const { local, domain } = address;
  const email = stored(address);
  const [{ takesMail, mx, nullMx }, suppression] = await Promise.all([mailDomains(ctx.core).of(domain), findSuppression(ctx, email)]);
  const checks: Checks = {
    syntax: true,
    mx,
    disposable: isDisposable(domain),
    role: isRole(local),
    freeProvider: isFreeProvider(domain),
    suppressed: suppression !== null,
    nullMx,
  };
  return { email, ...judgeAddress(checks, takesMail), suggestion: suggestionFor(email), checks };
}

const domains = lazily((): ReadonlySet<string> => disposableEmailBlocklistSet());

/** Returns whether a domain, or one that it is a part of, gives out addresses for the moment. */
export function isDisposable(domain: string): boolean {
  for (let rest = domain; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) if (domains().has(rest)) return true;
  return false;
}

const stored = ({ local, domain }: Address): string => `${local.toLowerCase()}@${domain}`;

// Also of what is no address, as long as the part before the `@` could be one's.
function suggestionFor(text: string): string | null {
  const at = text.lastIndexOf('@');
  const domain = suggestDomain(text.slice(at + 1).toLowerCase());
  const meant = domain === null ? null : parseAddress(`${text.slice(0, Math.max(at, 0))}@${domain}`);
  return meant && stored(meant);
}

/** The mail servers of a domain, as far as DNS says. */
interface MailDomain {
  /** Null where it did not say. */
  readonly takesMail: boolean | null;
  /** It names hosts for its mail. */
  readonly mx: boolean;
  /** It says that it takes none (RFC 7505). */
  readonly nullMx: boolean;
}

const UNSAID: MailDomain = { takesMail: null, mx: false, nullMx: false };

const ANSWER_MS = 5_000;
const MOST_DOMAINS = 10_000;
const KEPT_MS = 300_000;
/** A domain that accepts no mail may be about to: someone is setting it up. */
const KEPT_REFUSAL_MS = 60_000;

/** Asks DNS about domains and keeps the answers for some minutes, by domain; nothing of an address gets here. */
export class MailDomains {
  private readonly answers: LRUCache<string, Promise<MailDomain>>;

  constructor(
    private readonly dns: Pick<Dns, 'mx' | 'addresses'>,
    clock: { now(): number } = performance,
  ) {
    this.answers = new LRUCache({ max: MOST_DOMAINS, ttl: KEPT_MS, ttlResolution: 0, perf: clock });
  }

  /** Looks up a domain, once for all that ask at the same time. Resolves within seconds, also where DNS is silent; does not throw. */
  of(domain: string): Promise<MailDomain> {
    const known = this.answers.get(domain);
    if (known) return known;
    const asked = this.ask(domain);
    this.answers.set(domain, asked);
    return asked;
  }

  private async ask(domain: string): Promise<MailDomain> {
    const answer = await inTime(lookUp(this.dns, domain));
    if (answer.takesMail === null) this.answers.delete(domain);
    else if (!answer.takesMail) this.answers.set(domain, Promise.resolve(answer), { ttl: KEPT_REFUSAL_MS });
    return answer;
  }
}

async function lookUp(dns: Pick<Dns, 'mx' | 'addresses'>, domain: string): Promise<MailDomain> {
  const exchanges = await exchangesOf(dns, domain);
  if (exchanges.kind === 'unknown') return UNSAID;
  const takesMail = exchanges.kind === 'hosts';
  return { takesMail, mx: takesMail && exchanges.named, nullMx: exchanges.kind === 'null_mx' };
}

async function inTime(answer: Promise<MailDomain>): Promise<MailDomain> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MailDomain>((resolve) => {
    timer = setTimeout(() => resolve(UNSAID), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The lookups of this process. */
const mailDomains = perCore(({ dns }: Pick<Core, 'dns'>) => new MailDomains(dns));
