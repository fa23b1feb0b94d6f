import type { Context } from '../../platform/core';
import { addressId } from '../../platform/core';
import { takeAll } from '../../platform/limits';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PER_ADDRESS_AND_HOUR = 600;
const PER_PROJECT_AND_MINUTE = 6_000;

/**
 * Counts an event that came with a public key against the limits of its client, of its address and of its project (docs/events.md, Public keys). `client` is
 * the network address that it came from. Throws `rate_limited` with `Retry-After`.
 */
export const takePublic = ({ core, project }: Context, client: string, email: string): Promise<void> =>
  takeAll('events', [
    { id: addressId('lim', project.idSalt, `client ${client}`), limit: core.config.EVENTS_PUBLIC_RATE_PER_MINUTE, windowMs: MINUTE_MS },
    { id: addressId('lim', project.idSalt, `address ${email}`), limit: PER_ADDRESS_AND_HOUR, windowMs: HOUR_MS },
    { id: addressId('lim', project.idSalt, 'project'), limit: PER_PROJECT_AND_MINUTE, windowMs: MINUTE_MS },
  ]);
