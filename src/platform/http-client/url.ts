import type { Config } from '../config';
import { isPublicAddress } from '../../rules/public-address';
import { withinLimit } from '../async';
import { addressesOf } from './addresses';
import type { Names } from './addresses';

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
