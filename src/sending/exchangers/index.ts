import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { getDomain } from 'tldts';
import type { SmtpReply } from '@lettermill/smtp';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { exchangesOf } from '../../platform/dns';
import type { Dns, MailExchange } from '../../platform/dns';
import { providerAtExchanger, providerKeyOf } from '../../rules/mail-provider';
import { isPublicAddress } from '../../rules/public-address';
import { domainOf } from '../../platform/addresses';
import { inLanes } from '../../platform/async';

/** The route of mail to a domain. */
export type Route =
  /** Most preferred first; `provider` runs the most preferred one, of equal ones the first by name. */
  | { readonly kind: 'hosts'; readonly hosts: readonly string[]; readonly provider: string }
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

interface Known {
  readonly asked: Promise<Route>;
  /** Once the lookup has ended. */
  route?: Route;
}

/** Caches the mail route of each domain, and the provider that it leads to. Failed lookups are not cached. */
export class ExchangeBook {
  private readonly known = new LRUCache<string, Known>({ max: 20_000, ttl: KEPT_MS });

  /** `closedToo`: hosts at addresses that are not public may be connected to. */
  constructor(
    private readonly dns: Dns,
    private readonly closedToo: boolean,
  ) {}

  /** Resolves to a domain's route; concurrent calls share one lookup. Never rejects. */
  routeTo(domain: string): Promise<Route> {
    const known = this.known.get(domain);
    if (known) return known.asked;
    const asked: Known = { asked: lookUp(this.dns, domain) };
    this.known.set(domain, asked);
    void asked.asked.then((route) => (route.kind === 'unknown' ? this.known.delete(domain) : (asked.route = route)));
    return asked.asked;
  }

  /** Returns a domain's route if it was looked up lately. */
  ifKnown(domain: string): Route | undefined {
    return this.known.get(domain)?.route;
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
  if (exchanges.kind === 'hosts')
    return { kind: 'hosts', hosts: inOrder(exchanges.hosts), provider: providerAt(preferredOf(exchanges.hosts)) };
  if (exchanges.kind === 'unknown') return { kind: 'unknown' };
  return exchanges.kind === 'null_mx' ? NULL_MX : NO_DOMAIN;
}

/** Returns the provider that runs a mail exchanger: a known one, or the domain that its owner registered. */
export const providerAt = (exchanger: string): string => providerAtExchanger(exchanger) ?? getDomain(exchanger) ?? exchanger;

const preferredOf = (exchanges: readonly MailExchange[]): string =>
  [...exchanges].sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1))[0]?.host ?? '';

/** Sorts exchangers by preference and shuffles equal ones, so that each gets its part of the mail. */
function inOrder(exchanges: readonly MailExchange[]): readonly string[] {
  return exchanges
    .map(({ host, preference }) => ({ host, preference, lot: randomInt(2 ** 32) }))
    .sort((a, b) => a.preference - b.preference || a.lot - b.lot)
    .map(({ host }) => host);
}

/** The routes that a process knows. */
export const exchangeBookOf = perCore(
  ({ dns, config }: Pick<Core, 'dns' | 'config'>) => new ExchangeBook(dns, config.WEBHOOK_ALLOW_PRIVATE),
);

/** Lookups at a time: more of them are lost on the way. */
const AT_ONCE = 50;

/** Knows which provider takes the mail of a domain, by its most preferred exchanger. */
class Providers {
  constructor(private readonly book: ExchangeBook) {}

  /** Returns the provider of a domain if it was looked up lately. */
  ifKnown(domain: string): string | undefined {
    const route = this.book.ifKnown(domain);
    return route && providerBy(route, domain);
  }

  /** Resolves to the provider of a domain; to the domain itself where neither DNS nor its name says. Never rejects. */
  async of(domain: string): Promise<string> {
    return providerBy(await this.book.routeTo(domain), domain);
  }

  /** Looks up the providers of all these addresses, many at the same time. Resolves to a function that returns the provider of one of them. */
  async ofAll(addresses: readonly string[]): Promise<(address: string) => string> {
    const found = new Map<string, string>();
    const ask = async (domain: string): Promise<unknown> => found.set(domain, await this.of(domain));
    await inLanes(new Set(addresses.map(domainOf)), { atOnce: AT_ONCE }, ask);
    return (address) => found.get(domainOf(address)) ?? domainOf(address);
  }
}

const providerBy = (route: Route, domain: string): string => (route.kind === 'hosts' ? route.provider : (providerKeyOf(domain) ?? domain));

export const providersOf = perCore((core: Pick<Core, 'dns' | 'config'>) => new Providers(exchangeBookOf(core)));
