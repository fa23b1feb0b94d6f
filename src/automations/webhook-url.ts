import type { Config } from '../config';
import { isPublicAddress } from '../rules/public-address';

export type CallRules = Pick<Config, 'WEBHOOK_ALLOW_INSECURE' | 'WEBHOOK_ALLOW_PRIVATE'>;

const ADDRESS = /^(?:\[.*\]|[\d.]+)$/;

/**
 * Why a URL may not be called, as far as the URL itself tells, or null (docs/automations.md, Webhook). What its host's name leads to is seen when it
 * is called.
 */
export function urlFault(url: URL, { WEBHOOK_ALLOW_INSECURE, WEBHOOK_ALLOW_PRIVATE }: CallRules): string | null {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && WEBHOOK_ALLOW_INSECURE)) return 'The URL must begin with https://';
  if (url.username !== '' || url.password !== '') return 'The URL must not hold credentials';
  return WEBHOOK_ALLOW_PRIVATE || !isClosed(url.hostname) ? null : 'The URL leads to an address that is not public';
}

/** `hostname` as URL parsing leaves it: IPv4 addresses, however they were written, in four decimal parts, IPv6 in brackets. */
function isClosed(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (ADDRESS.test(name)) return !isPublicAddress(name.replace(/^\[|\]$/g, ''));
  return name === 'localhost' || name.endsWith('.localhost');
}
