import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import type { Dns } from '../dns';
import { isPublicAddress } from '../../rules/public-address';

export type Names = Pick<Dns, 'addresses'>;

/** Thrown for a host that resolves to an address that calls may not go to. */
export class BlockedAddress extends Error {}

/**
 * Resolves to all addresses that a host's name leads to. Name servers are asked directly: the system's own lookup occupies one of the four threads that files need
 * too, for as long as a dead name server keeps it waiting, so it is used only for names that no name server knows. Throws when there is no answer.
 */
export async function addressesOf(dns: Names, hostname: string): Promise<readonly LookupAddress[]> {
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
