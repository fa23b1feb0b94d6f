import { AppError } from '../core';
import { LimitModel } from './model';
import type { Limit } from './model';

/** Limit for requests in a window of time. */
export interface Allowance {
  /** A hash. */
  readonly id: string;
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Takes one from a limit, in one write that all processes share; nothing is taken when it is used up. The window begins with the first request after
 * the last one ended. Limits need not outlive a failover, so the write waits for no majority.
 */
async function take({ id, limit, windowMs }: Allowance): Promise<Limit> {
  const row = await LimitModel.collection.findOneAndUpdate(
    { _id: id },
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
  return row as unknown as Limit;
}

/** Takes one from each limit, in their order. Throws `rate_limited` with `Retry-After` at the first that is used up; `what` names, in the plural, what there is too much of. */
export async function takeAll(what: string, limits: readonly Allowance[]): Promise<void> {
  for (const limit of limits) {
    const { allowed, until, at } = await take(limit);
    if (allowed) continue;
    const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1_000));
    throw new AppError('rate_limited', `Too many ${what}; try again in ${seconds} s`, [], { headers: { 'Retry-After': String(seconds) } });
  }
}
