import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Dns } from '../dns';
import { isPublicAddress } from '../../rules/public-address';
import type { Config } from '../config';
import { withinLimit } from '../async';

export type CallRules = Pick<Config, 'WEBHOOK_ALLOW_INSECURE' | 'WEBHOOK_ALLOW_PRIVATE'>;

const NOT_PUBLIC = 'The URL leads to an address that is not public';

const ADDRESS = /^(?:\[.*\]|[\d.]+)$/;

/**
 * Returns why a URL may not be called, checked by the URL alone, or null (docs/webhooks.md, URLs). What its host's name leads to is seen when it
 * is called.
 */
export function urlFault(url: URL, { WEBHOOK_ALLOW_INSECURE, WEBHOOK_ALLOW_PRIVATE }: CallRules): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && WEBHOOK_ALLOW_INSECURE)) return 'The URL must begin with https://';
  if (url.username !== '' || url.password !== '') return 'The URL must not hold credentials';
  return WEBHOOK_ALLOW_PRIVATE || !isClosed(url.hostname) ? null : NOT_PUBLIC;
}

const NAMES_MS = 5_000;

/**
 * Does as `urlFault`, and also resolves the host's name at this moment. A name that leads nowhere now is no fault: it is seen again whenever the URL is
 * called.
 */
export async function urlFaultNow(dns: Names, url: URL, rules: CallRules): Promise<string | null> {
  const fault = urlFault(url, rules);
  if (fault !== null || rules.WEBHOOK_ALLOW_PRIVATE || ADDRESS.test(url.hostname)) return fault;
  const found = await withinLimit(NAMES_MS, () => addressesOf(dns, url.hostname)).catch(() => []);
  return found.every(({ address }) => isPublicAddress(address)) ? null : NOT_PUBLIC;
}

/** Returns whether a host is not public. `hostname` is as URL parsing leaves it: IPv4 addresses, however they were written, in four decimal parts, IPv6 in brackets. */
function isClosed(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (ADDRESS.test(name)) return !isPublicAddress(name.replace(/^\[|\]$/g, ''));
  return name === 'localhost' || name.endsWith('.localhost');
}

export type Names = Pick<Dns, 'addresses'>;

/** Thrown for a host that resolves to an address that calls may not go to. */
export class BlockedAddress extends Error {}

/**
 * Resolves to all addresses that a host's name leads to. Name servers are asked directly: the system's own lookup occupies one of the four threads that files need
 * too, for as long as a dead name server keeps it waiting, so it is used only for names that no name server knows. Throws when there is no answer.
 */
async function addressesOf(dns: Names, hostname: string): Promise<readonly LookupAddress[]> {
  const answer = await dns.addresses(hostname);
  if (answer.said === 'unknown') throw Object.assign(new Error(`No name server answers for ${hostname}`), { code: 'EAI_AGAIN' });
  if (answer.said === 'none') return lookup(hostname, { all: true });
  return answer.records.map((address) => ({ address, family: isIP(address) }));
}

/** Resolves names to public addresses only. */
export const publicOnly =
  (dns: Names): LookupFunction =>
  (hostname, options, callback) => {
    addressesOf(dns, hostname).then(
      (found) => {
        const open = found.filter(({ address }) => isPublicAddress(address));
        const [first] = open;
        if (!first) callback(new BlockedAddress('The host leads to an address that is not public'), '', 0);
        else if (options.all) callback(null, open);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
