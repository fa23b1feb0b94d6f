import { BlockList, isIP } from 'node:net';
import { lazily } from '../../rules/lazily';

/**
 * Networks in which mail is scanned and nobody reads: those from which Exchange Online Protection fetches links, of Microsoft's list of Microsoft 365 endpoints, and those of
 * Google's crawlers and image proxy, of Google's list. Apple publishes the addresses of its proxy among those of people who browse through it, so they tell nothing.
 */
const SCANNERS = [
  ['40.92.0.0', 15, 'ipv4'],
  ['40.107.0.0', 16, 'ipv4'],
  ['52.100.0.0', 14, 'ipv4'],
  ['104.47.0.0', 17, 'ipv4'],
  ['2a01:111:f400::', 48, 'ipv6'],
  ['2a01:111:f403::', 48, 'ipv6'],
  ['66.249.64.0', 19, 'ipv4'],
] as const;

const scanners = lazily(() => {
  const list = new BlockList();
  for (const [net, prefix, family] of SCANNERS) list.addSubnet(net, prefix, family);
  return list;
});

/** Returns whether a client is in a network of scanners; false for what is no address. */
export function isScannerNetwork(client: string | null): boolean {
  const version = client === null ? 0 : isIP(client);
  if (version === 0) return false;
  return scanners().check(client as string, version === 6 ? 'ipv6' : 'ipv4');
}
