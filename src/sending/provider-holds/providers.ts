import { getDomain } from 'tldts';
import { LRUCache } from 'lru-cache';
import { domainOf } from '../../platform/addresses';
import { chunks } from '../../platform/async';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { exchangesOf } from '../../platform/dns';

/** Providers whose exchangers have several names. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['google.com', 'google'],
  ['googlemail.com', 'google'],
  ['outlook.com', 'outlook'],
  ['hotmail.com', 'outlook'],
  ['microsoft', 'outlook'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
]);

/** Returns the provider that runs a mail exchanger: a name that is known, or the domain that its owner registered. */
export function providerAt(exchanger: string): string {
  const registered = getDomain(exchanger) ?? exchanger;
  const ownLabel = exchanger.slice(exchanger.lastIndexOf('.') + 1);
  return PROVIDERS.get(registered) ?? PROVIDERS.get(ownLabel) ?? registered;
}

const KEPT_MS = 5 * 60_000;
const KEPT = 20_000;
/** Lookups at a time: more of them are lost on the way. */
const AT_ONCE = 50;

type DnsCore = Pick<Core, 'dns'>;

/** Knows which provider takes the mail of a domain, by its most preferred exchanger. */
class Providers {
  private readonly kept = new LRUCache<string, string>({ max: KEPT, ttl: KEPT_MS });
  private readonly asked = new Map<string, Promise<string>>();

  constructor(private readonly core: DnsCore) {}

  /** Returns the provider of a domain if it was looked up lately. */
  ifKnown(domain: string): string | undefined {
    return this.kept.get(domain);
  }

  /** Resolves to the provider of a domain; to the domain itself where DNS does not say. Never rejects. */
  of(domain: string): Promise<string> {
    const known = this.kept.get(domain);
    if (known !== undefined) return Promise.resolve(known);
    const asked = this.asked.get(domain) ?? this.lookUp(domain).finally(() => this.asked.delete(domain));
    this.asked.set(domain, asked);
    return asked;
  }

  /** Looks up the providers of all these addresses, many at the same time. Resolves to a function that returns the provider of one of them. */
  async ofAll(addresses: readonly string[]): Promise<(address: string) => string> {
    const found = new Map<string, string>();
    const ask = async (domain: string): Promise<unknown> => found.set(domain, await this.of(domain));
    for (const domains of chunks([...new Set(addresses.map(domainOf))], AT_ONCE)) await Promise.all(domains.map(ask));
    return (address) => found.get(domainOf(address)) ?? domainOf(address);
  }

  private async lookUp(domain: string): Promise<string> {
    const found = await exchangesOf(this.core.dns, domain);
    if (found.kind !== 'hosts') return domain;
    const [first] = [...found.hosts].sort((a, b) => a.preference - b.preference || (a.host < b.host ? -1 : 1));
    const provider = first ? providerAt(first.host) : domain;
    this.kept.set(domain, provider);
    return provider;
  }
}

export const providersOf = perCore((core: DnsCore) => new Providers(core));
