import { domainOf } from '../../platform/addresses';
import { chunks } from '../../platform/async';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';
import { providerKeyOf } from '../../rules/mail-provider';
import { exchangeBookOf } from './book';
import type { ExchangeBook, Route } from './book';

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
    for (const domains of chunks([...new Set(addresses.map(domainOf))], AT_ONCE)) await Promise.all(domains.map(ask));
    return (address) => found.get(domainOf(address)) ?? domainOf(address);
  }
}

const providerBy = (route: Route, domain: string): string => (route.kind === 'hosts' ? route.provider : (providerKeyOf(domain) ?? domain));

export const providersOf = perCore((core: Pick<Core, 'dns' | 'config'>) => new Providers(exchangeBookOf(core)));
