import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config';
import { limitOf, newId, rateLimited, secondsUntil, stateOf } from '../../platform/core';
import type { Limited, RateState, Refill } from '../../platform/core';
import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Units that an API process has taken out of a bucket and may spend until then. */
interface HeldUnits {
  readonly owner: string;
  readonly units: number;
  readonly until: Date;
}

/** The token bucket of a key for all requests but sends (docs/errors.md, Rate limit). */
interface KeyRate {
  /** Hash of the key. */
  readonly _id: string;
  readonly units: number;
  /** Up to when units were regained, by the database's clock. */
  readonly at: Date;
  readonly held: readonly HeldUnits[];
  /** From then on the bucket is full. */
  readonly fullAt: Date;
}

const keyRateSchema = rowSchema<KeyRate>({
  _id: { type: String, required: true },
  units: { type: Number, required: true },
  at: { type: Date, required: true },
  held: [
    new Schema<HeldUnits>(
      {
        owner: { type: String, required: true },
        units: { type: Number, required: true },
        until: { type: Date, required: true },
      },
      { _id: false },
    ),
  ],
  fullAt: { type: Date, required: true },
});
keyRateSchema.index({ fullAt: 1 }, { expireAfterSeconds: 60 }); // a bucket that is not there is full

export const KeyRateModel = model<KeyRate>('KeyRate', keyRateSchema, 'key_rates');

const LEASE_MS = 1_000;
/** Time for which the database counts a lease as held: past its end, also if its answer took a while. */
const HELD_MS = 2_000;
const MOST_UNITS = 50;
/** A lease is at most this part of what is left: the fewer units there are, the fewer another process misses. */
const SHARE = 4;
/** A bucket found empty is not asked again before. */
const EMPTY_MS = 10;
const LEASES = 10_000;

/** The units of a key's bucket that a process holds, and what it knows of the rest. Times are from `performance.now()`. */
interface Lease {
  limits: Refill;
  granted: number;
  left: number;
  until: number;
  /** Units in the database when it was last asked. */
  units: number;
  askedAt: number;
  emptyUntil: number;
  asking: Promise<boolean> | null;
}

const fresh = (limits: Refill): Lease => ({ limits, granted: 0, left: 0, until: 0, units: 0, askedAt: 0, emptyUntil: 0, asking: null });

/**
 * The token buckets of keys, for all requests but sends. A key's bucket is one document that all API processes share; each takes leases of
 * up to 50 units and at most a quarter of the rest, for one second, and serves requests from them without asking the database. A lease is
 * renewed ahead of its end while requests come, so that a busy key waits for no lease and a quiet one for one short write.
 *
 * Exact in one direction: units in the document and in leases together never exceed the burst and grow at the rate only, so over all
 * processes at most burst + rate × time requests pass in any span of time. A process may refuse early: it cannot spend others' leases,
 * lapsed units are regained at the rate, and an empty bucket is asked again after 10 ms at the earliest. Only a failover that loses the
 * last writes gives back what they took, and an answer of the database that took longer than two seconds may let one lease pass in addition
 * to a full bucket.
 */
export class KeyRates {
  private readonly owner = newId('own');
  private readonly leases = new LRUCache<string, Lease>({ max: LEASES });

  constructor(private readonly config: Pick<Config, 'API_RATE_BURST' | 'API_RATE_PER_SECOND'>) {}

  /**
   * Takes one unit of the bucket of the key with this hash, by the limits of its project. A lease that was granted by other limits is spent
   * first. Throws `rate_limited` with the state of the bucket, and what the database throws.
   */
  async take(keyHash: string, project: Limited = {}): Promise<RateState> {
    const lease = this.leaseFor(keyHash);
    lease.limits = this.limitsOf(project);
    this.leases.set(keyHash, lease);
    let lasts = performance.now() < lease.until;
    if (lease.left < 1 && performance.now() < lease.emptyUntil) throw this.refusal(lease);
    // A request that waited for a lease spends from it, however long the answer took and despite the clock: each question that brings units serves a request.
    while (!lasts || lease.left < 1) {
      if (!(await this.renew(keyHash, lease))) throw this.refusal(lease);
      lasts = true;
    }
    lease.left--;
    // A failure is met again, and answered, by the request that has no unit left.
    if (endsSoon(lease)) this.renew(keyHash, lease).catch(() => undefined);
    return this.state(lease);
  }

  /** Gives back a unit that was taken for nothing. */
  giveBack(keyHash: string): RateState {
    const lease = this.leaseFor(keyHash);
    if (lease.left < lease.granted) lease.left++;
    return this.state(lease);
  }

  private limitsOf(project: Limited): Refill {
    return { burst: limitOf(this.config, project, 'requestBurst'), perSecond: limitOf(this.config, project, 'requestsPerSecond') };
  }

  private leaseFor(keyHash: string): Lease {
    return this.leases.get(keyHash) ?? fresh(this.limitsOf({}));
  }

  /** Asks for units, once at a time for all that wait. Resolves to whether it brought units. */
  private renew(keyHash: string, lease: Lease): Promise<boolean> {
    return (lease.asking ??= this.ask(keyHash, lease).finally(() => {
      lease.asking = null;
    }));
  }

  private async ask(keyHash: string, lease: Lease): Promise<boolean> {
    const { left } = lease;
    const askedAt = performance.now();
    const row = await leaseOf(keyHash, this.owner, left, lease.limits);
    const granted = row.held.find(({ owner }) => owner === this.owner)?.units ?? 0;
    const spentMeanwhile = left - lease.left;
    const now = performance.now();
    lease.granted = granted;
    lease.left = Math.max(0, granted - spentMeanwhile);
    lease.until = askedAt + LEASE_MS;
    lease.units = row.units;
    lease.askedAt = askedAt;
    if (granted === 0) lease.emptyUntil = now + Math.max(EMPTY_MS, ((1 - row.units) / lease.limits.perSecond) * 1_000);
    return granted > 0;
  }

  private unitsOf(lease: Lease): number {
    const regained = ((performance.now() - lease.askedAt) / 1_000) * lease.limits.perSecond;
    return Math.min(lease.limits.burst, lease.units + regained + lease.left);
  }

  private state(lease: Lease): RateState {
    return stateOf(lease.limits, this.unitsOf(lease));
  }

  private refusal(lease: Lease): Error {
    const seconds = secondsUntil(lease.limits, 1 - this.unitsOf(lease));
    return rateLimited(`The key's request rate is used up; try again in ${seconds} s`, { ...this.state(lease), remaining: 0 }, seconds);
  }
}

// Few units or little time are left. A lease of few units is not worth a question ahead.
const endsSoon = ({ granted, left, until }: Lease): boolean =>
  left > 0 && (left * SHARE <= granted || performance.now() >= until - LEASE_MS / SHARE);

/**
 * Puts back the `rest` of the owner's lease and takes the next one, in one write by the database's clock. A rest that has lapsed, and that another process found
 * lapsed, is void. The write waits for no majority: limits need not outlive a failover.
 */
async function leaseOf(keyHash: string, owner: string, rest: number, { burst, perSecond }: Refill): Promise<KeyRate> {
  const row = await KeyRateModel.collection.findOneAndUpdate(
    { _id: keyHash },
    [
      { $set: { was: { $ifNull: ['$at', '$$NOW'] }, units: { $ifNull: ['$units', burst] }, held: { $ifNull: ['$held', []] } } },
      {
        $set: {
          at: { $max: ['$was', '$$NOW'] },
          rest: { $cond: [{ $in: [owner, '$held.owner'] }, rest, 0] },
          held: { $filter: { input: '$held', cond: { $and: [{ $ne: ['$$this.owner', owner] }, { $gt: ['$$this.until', '$$NOW'] }] } } },
        },
      },
      {
        $set: {
          regained: { $multiply: [{ $subtract: ['$at', '$was'] }, perSecond / 1_000] },
          room: { $subtract: [burst, { $sum: '$held.units' }] },
        },
      },
      { $set: { units: { $max: [0, { $min: ['$room', { $add: ['$units', '$rest', '$regained'] }] }] } } },
      { $set: { share: { $min: [MOST_UNITS, { $ceil: { $divide: ['$units', SHARE] } }] } } },
      { $set: { lease: { $min: [{ $floor: '$units' }, { $max: ['$rest', '$share'] }] } } },
      {
        $set: {
          units: { $subtract: ['$units', '$lease'] },
          held: { $concatArrays: ['$held', [{ owner, units: '$lease', until: { $add: ['$$NOW', HELD_MS] } }]] },
          fullAt: { $add: ['$$NOW', Math.ceil((burst / perSecond) * 1_000)] },
        },
      },
      { $unset: ['was', 'rest', 'regained', 'room', 'share', 'lease'] },
    ],
    { upsert: true, returnDocument: 'after', writeConcern: { w: 1 } },
  );
  return row as unknown as KeyRate;
}
