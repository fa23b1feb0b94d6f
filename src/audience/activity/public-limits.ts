import type { Context } from '../../platform/core';
import { AppError, addressId } from '../../platform/core';
import { PublicLimitModel } from './public-limit-model';
import type { PublicLimit } from './public-limit-model';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PER_ADDRESS_AND_HOUR = 600;
const PER_PROJECT_AND_MINUTE = 6_000;

/**
 * Takes one from a limit, in one write that all processes share; nothing is taken when it is used up. The window begins with the first request after
 * the last one ended. Limits need not outlive a failover, so the write waits for no majority.
 */
async function take(id: string, limit: number, windowMs: number): Promise<PublicLimit> {
  const row = await PublicLimitModel.collection.findOneAndUpdate(
    { _id: id as never },
    [
      { $set: { running: { $gt: ['$until', '$$NOW'] }, at: '$$NOW' } },
      { $set: { allowed: { $or: [{ $not: '$running' }, { $lt: ['$count', limit] }] } } },
      {
        $set: {
          count: { $cond: ['$running', { $add: ['$count', { $cond: ['$allowed', 1, 0] }] }, 1] },
          until: { $cond: ['$running', '$until', { $add: ['$$NOW', windowMs] }] },
        },
      },
      { $unset: 'running' },
    ],
    { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
  );
  return row as unknown as PublicLimit;
}

/**
 * Counts an event that came with a public key against the limits of its client, of its address and of its project (docs/events.md, Public keys). `client` is
 * the network address that it came from. Throws `rate_limited` with `Retry-After`.
 */
export async function takePublic({ core, project }: Context, client: string, email: string): Promise<void> {
  const limits = [
    { id: addressId('lim', project.idSalt, `client ${client}`), limit: core.config.EVENTS_PUBLIC_RATE_PER_MINUTE, windowMs: MINUTE_MS },
    { id: addressId('lim', project.idSalt, `address ${email}`), limit: PER_ADDRESS_AND_HOUR, windowMs: HOUR_MS },
    { id: addressId('lim', project.idSalt, 'project'), limit: PER_PROJECT_AND_MINUTE, windowMs: MINUTE_MS },
  ];
  for (const { id, limit, windowMs } of limits) {
    const { allowed, until, at } = await take(id, limit, windowMs);
    if (allowed) continue;
    const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1_000));
    throw new AppError('rate_limited', `Too many events; try again in ${seconds} s`, [], { headers: { 'Retry-After': String(seconds) } });
  }
}
