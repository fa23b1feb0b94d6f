import { LRUCache } from 'lru-cache';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { exchangesOf } from '../../platform/dns';
import type { Dns } from '../../platform/dns';

/** The mail servers of a domain, as far as DNS says. */
export interface MailDomain {
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
export const mailDomains = perCore(({ dns }: Pick<Core, 'dns'>) => new MailDomains(dns));
