import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { exchangesOf } from '../../platform/dns';
import type { Dns, MailExchange } from '../../platform/dns';
import type { SmtpReply } from '@lettermill/smtp';
import { isPublicAddress } from '../../rules/public-address';

/** The route of mail to a domain. */
export type Route =
  /** Most preferred first. */
  | { readonly kind: 'hosts'; readonly hosts: readonly string[] }
  /** The domain does not exist, or says that it accepts no mail: treated as a refusal of the recipient. */
  | { readonly kind: 'nowhere'; readonly reply: SmtpReply }
  | { readonly kind: 'unknown' };

const nowhere = (code: number, enhanced: string, text: string): Route => ({
  kind: 'nowhere',
  reply: { code, enhanced, text: `${enhanced} ${text}` },
});
const NO_DOMAIN = nowhere(550, '5.1.2', "The recipient's domain does not exist");
/** RFC 7505, section 4.1. */
const NULL_MX = nowhere(556, '5.1.10', "The recipient's domain accepts no mail");

/** Shorter than the TTL of most zones, so that a domain that moves is followed soon. */
const KEPT_MS = 5 * 60_000;

/** Caches the mail route of each domain. Failed lookups are not cached. */
export class ExchangeBook {
  private readonly known = new LRUCache<string, Promise<Route>>({ max: 20_000, ttl: KEPT_MS });

  /** `closedToo`: hosts at addresses that are not public may be connected to. */
  constructor(
    private readonly dns: Dns,
    private readonly closedToo: boolean,
  ) {}

  /** Resolves to a domain's route; concurrent calls share one lookup. Never rejects. */
  routeTo(domain: string): Promise<Route> {
    const known = this.known.get(domain);
    if (known) return known;
    const asked = lookUp(this.dns, domain);
    this.known.set(domain, asked);
    void asked.then(({ kind }) => kind === 'unknown' && this.known.delete(domain));
    return asked;
  }

  /** Resolves to the addresses of a host to which connections are allowed. */
  async addressesOf(host: string): Promise<readonly string[]> {
    const answer = await this.dns.addresses(host);
    const all = answer.said === 'found' ? answer.records : [];
    return this.closedToo ? all : all.filter(isPublicAddress);
  }
}

async function lookUp(dns: Dns, domain: string): Promise<Route> {
  const exchanges = await exchangesOf(dns, domain);
  if (exchanges.kind === 'hosts') return { kind: 'hosts', hosts: inOrder(exchanges.hosts) };
  if (exchanges.kind === 'unknown') return { kind: 'unknown' };
  return exchanges.kind === 'null_mx' ? NULL_MX : NO_DOMAIN;
}

/** Sorts exchangers by preference and shuffles equal ones, so that each gets its part of the mail. */
function inOrder(exchanges: readonly MailExchange[]): readonly string[] {
  return exchanges
    .map(({ host, preference }) => ({ host, preference, lot: randomInt(2 ** 32) }))
    .sort((a, b) => a.preference - b.preference || a.lot - b.lot)
    .map(({ host }) => host);
}
