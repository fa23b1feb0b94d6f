import os from 'node:os';
import mongoose from 'mongoose';
import { CannotStart } from '../../platform/start-up';
import { newId } from '../../platform/core';
import { SchemaModel } from './model';
import type { SchemaRow } from './model';

const ONLY = 'schema';
const DUPLICATE_KEY = 11000;
export const LEASE_MS = 30_000;

const EMPTY: Omit<SchemaRow, '_id'> = { version: 0, oldest: 0, contracted: 0, indexes: [] };

/** Resolves to the row as it is; of a database that was never migrated it is that of version 0. */
export const readSchema = async (): Promise<SchemaRow> => (await SchemaModel.findById(ONLY).lean<SchemaRow>()) ?? { _id: ONLY, ...EMPTY };

/** Resolves to null if another process has created the row at the same time. */
function unlessMadeByAnother(error: unknown): null {
  if (!(error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY)) throw error;
  return null;
}

/** The right to migrate: one process has it, and another one when that has not renewed it in time. */
export class MigrationLease {
  private readonly holder = newId('mig');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly leaseMs: number) {}

  /** Resolves to whether it is ours now; it is renewed from then on until it is given up. */
  async take(): Promise<boolean> {
    const mine = { $eq: ['$lease.holder', this.holder] };
    const isFree = { $or: [{ $not: ['$lease'] }, { $lt: ['$lease.until', '$$NOW'] }] };
    const lease = { $cond: [{ $or: [mine, isFree] }, this.renewed(), '$lease'] };
    const set: Record<string, unknown> = { lease };
    for (const [name, value] of Object.entries(EMPTY)) set[name] = { $ifNull: [`$${name}`, value] };
    const row = await SchemaModel.collection
      .findOneAndUpdate({ _id: ONLY }, [{ $set: set }], {
        upsert: true,
        returnDocument: 'after',
      })
      .catch(unlessMadeByAnother);
    if ((row as SchemaRow | null)?.lease?.holder !== this.holder) return false;
    this.timer = setInterval(() => void this.renew().catch(() => undefined), this.leaseMs / 3);
    this.timer.unref();
    return true;
  }

  /** Changes the row as its holder. Throws when another process has taken over. */
  async write(set: Partial<Omit<SchemaRow, '_id' | 'lease'>>, unset: 'progress' | null = null): Promise<void> {
    const update = { $set: set, ...(unset !== null && { $unset: { [unset]: '' } }) };
    const { matchedCount } = await SchemaModel.collection.updateOne({ _id: ONLY, 'lease.holder': this.holder }, update);
    if (matchedCount === 0) throw new CannotStart('Another process has taken over the migration of the database');
  }

  async giveUp(): Promise<void> {
    clearInterval(this.timer);
    await SchemaModel.collection.updateOne({ _id: ONLY, 'lease.holder': this.holder }, { $unset: { lease: '' } });
  }

  private renewed() {
    return { holder: this.holder, by: `${os.hostname()}, process ${process.pid}`, until: { $add: ['$$NOW', this.leaseMs] } };
  }

  private async renew(): Promise<void> {
    const mine = { _id: ONLY, 'lease.holder': this.holder };
    await SchemaModel.collection.updateOne(mine, [{ $set: { lease: this.renewed() } }]);
  }
}
