/*
 * Limits: how much passes in a time. A room says whose limit it is, and how high.
 *
 * - `takeAll`: windows that all processes share, in the database, for what is rare and must not be multiplied by processes: sign-ins, public events.
 * - `Windows`: the same in the memory of a process, for what costs less than a write: hosts of inbound mail, reminders, uses of keys.
 * - `awaitLargeWork`: large work goes one piece at a time.
 *
 * Token buckets are in their rooms, and share what they tell (`Refill` in `platform/core`). Sends (`sending/accept/limits.ts`) draw for many requests in one
 * write, and put back what was refused. Keys (`records/projects/key-rates.ts`) lease units to processes, so that a request asks the database nothing.
 *
 * A failover may give back what the last writes took: limits wait for no majority. A window in memory begins again with its process.
 */

import { AppError, perCore } from './core';
import { model, rowSchema } from './mongo';
import { LRUCache } from 'lru-cache';
import { FairQueue } from './fair';
import type { Core } from './core';

/** Work on less waits for nothing. */
const LARGE_BYTES = 65_536;
/** Pause after large work, for other work: three times the time that it took, at most a tenth of a second. */
const PAUSE = { times: 3, mostMs: 100 } as const;

const placesOf = perCore<FairQueue, Pick<Core, 'config'>>(() => new FairQueue({ most: 1 }));

/**
 * Resolves when work on this many bytes may block the process, immediately afterwards and without a pause. Large works run one at a time,
 * fairly between projects, with a pause for all other work after each. Work on less than 64 KiB never waits.
 */
export async function awaitLargeWork(
  { core, projectId }: { readonly core: Core; readonly projectId: string },
  bytes: number,
): Promise<void> {
  if (bytes < LARGE_BYTES) return;
  const leave = await placesOf(core).take(projectId);
  const began = performance.now();
  setImmediate(() => setTimeout(() => leave?.(), Math.min(PAUSE.mostMs, PAUSE.times * (performance.now() - began))));
}

interface WindowOptions {
  /** The most passes of a key in a window. */
  readonly most: number;
  readonly windowMs: number;
  /** The most keys that are counted. When there are more, the count of those that were quiet longest starts again. */
  readonly keys: number;
}

/** Counts the passes of each key in this process. The window of a key begins with its first pass. */
export class Windows {
  private readonly windows: LRUCache<string, { elapsed: number }>;

  constructor(private readonly options: WindowOptions) {
    this.windows = new LRUCache({ max: options.keys, ttl: options.windowMs });
  }

  /** Returns whether a key has no pass left in its window. */
  isSpent(key: string): boolean {
    return (this.windows.get(key)?.elapsed ?? 0) >= this.options.most;
  }

  /** Counts a pass; false, and not counted, when it is one too many. */
  take(key: string): boolean {
    const window = this.windows.get(key);
    if (!window) this.windows.set(key, { elapsed: 1 });
    else if (window.elapsed < this.options.most) window.elapsed++;
    else return false;
    return true;
  }
}

/** The use of a limit since its window began. */
interface Limit {
  /** A hash: whose limit it is cannot be read from it. */
  readonly _id: string;
  readonly count: number;
  readonly until: Date;
  /** Whether the last request was within the limit, and when it came, by the database's clock. */
  readonly allowed: boolean;
  readonly at: Date;
}

const limitSchema = rowSchema<Limit>({
  _id: { type: String, required: true },
  count: { type: Number, required: true },
  until: { type: Date, required: true },
  allowed: { type: Boolean, required: true },
  at: { type: Date, required: true },
});
limitSchema.index({ until: 1 }, { expireAfterSeconds: 0 }); // a window that has ended is of no use

export const LimitModel = model<Limit>('Limit', limitSchema, 'limits');

/** Limit for requests in a window of time. */
interface Allowance {
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
