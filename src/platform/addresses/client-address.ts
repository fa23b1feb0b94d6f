import { isIPv6 } from 'node:net';

/** Returns the eight groups of an IPv6 address, as written out by the URL parser (RFC 5952). */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  return tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/** Returns an IPv4 address that came as IPv6 (RFC 4291, 2.5.5.2), else null. */
function mappedIPv4(groups: readonly string[]): string | null {
  if (groups.slice(0, 5).some((group) => group !== '0') || groups[5] !== 'ffff') return null;
  const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.');
}

/** Returns what limits go by: an IPv4 address, or the /64 of an IPv6 address, since one client has all of those. */
export function clientOf(address: string): string {
  const bare = address.trim().split('%', 1)[0] ?? '';
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  return mappedIPv4(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** Returns the network that an address most likely shares its owner with: itself, or the /48 of an IPv6 address. */
export function networkOf(address: string): string {
  const client = clientOf(address);
  return client.includes(':') ? `${client.split(':', 3).join(':')}::/48` : client;
}

/** Returns the 32 digits of an IPv6 address. */
export const digitsOfIPv6 = (address: string): string =>
  groupsOf(address.split('%', 1)[0] ?? '')
    .map((group) => group.padStart(4, '0'))
    .join('');

/**
 * Returns the client of a request: the peer of the socket, or, behind this many proxies of the operator, the address that the outermost one
 * noted in `X-Forwarded-For`. Entries that a client writes into that header itself are further to the left and are ignored.
 */
export function clientAddress(socket: string | undefined, forwardedFor: string | undefined, proxies: number): string {
  const hops = [...(forwardedFor ?? '').split(',').filter((hop) => hop.trim() !== ''), socket ?? ''];
  return clientOf(hops[Math.max(0, hops.length - 1 - proxies)] ?? '');
}
