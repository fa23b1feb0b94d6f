import { Resolver, lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from '../rules/public-address';

export class BlockedAddress extends Error {}

/** Two tries of so many milliseconds. */
const ASKING = { timeout: 2_000, tries: 2 } as const;

/**
 * All addresses that a host's name leads to. Name servers are asked directly: the system's own look-up occupies one of the four threads that files need
 * too, for as long as a dead name server keeps it waiting, so it is used only for what name servers answer that they do not know. Throws when there is no answer.
 */
export async function addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(ASKING);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [...addresses(four, 4), ...addresses(six, 6)];
  if (found.length > 0) return found;
  const failures = [four, six].flatMap((asked) => (asked.status === 'rejected' ? [asked.reason as { readonly code?: unknown }] : []));
  const late = failures.find(({ code }) => code === 'ETIMEOUT');
  if (late) throw late as Error;
  return lookup(hostname, { all: true });
}

const addresses = (asked: PromiseSettledResult<readonly string[]>, family: 4 | 6): readonly LookupAddress[] =>
  asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : [];

/** Resolves names to public addresses only. */
export const publicOnly: LookupFunction = (hostname, options, callback) => {
  addressesOf(hostname).then(
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
