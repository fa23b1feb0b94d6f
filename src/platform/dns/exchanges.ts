import type { Dns } from './resolver';

/** The servers that take a domain's mail, as DNS lists them. */
export type Exchanges =
  /** The exchangers that it names, and in what order they are preferred; or, where it names none, the domain itself. */
  | { readonly kind: 'hosts'; readonly hosts: readonly { readonly host: string; readonly preference: number }[]; readonly named: boolean }
  /** It says that it takes none (RFC 7505). */
  | { readonly kind: 'null_mx' }
  /** It has neither exchangers nor addresses, or does not exist. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** Finds a domain's mail exchangers; without MX records it takes its mail at its own addresses (RFC 5321, section 5.1). */
export async function exchangesOf(dns: Pick<Dns, 'mx' | 'addresses'>, domain: string): Promise<Exchanges> {
  const answer = await dns.mx(domain);
  if (answer.said === 'unknown') return { kind: 'unknown' };
  if (answer.said === 'found') {
    const hosts = answer.records.filter(({ host }) => host !== '');
    return hosts.length > 0 ? { kind: 'hosts', hosts, named: true } : { kind: 'null_mx' };
  }
  const { said } = await dns.addresses(domain);
  return said === 'found' ? { kind: 'hosts', hosts: [{ host: domain, preference: 0 }], named: false } : { kind: said };
}
