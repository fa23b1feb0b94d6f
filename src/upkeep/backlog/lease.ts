import mongoose from 'mongoose';
import { newId } from '../../platform/core';
import { BacklogLeaseModel } from './lease-model';

const ONLY = 'backlog';
const DUPLICATE_KEY = 11000;

/** The right to read the backlog: one process has it, and another one when that has not renewed it in time. */
export class BacklogLease {
  private readonly holder = newId('wrk');

  constructor(private readonly leaseMs: number) {}

  /** Takes it, or renews it. Resolves to whether it is ours. */
  async take(): Promise<boolean> {
    const { holder, leaseMs } = this;
    const isFree = { $or: [{ $eq: [{ $ifNull: ['$holder', holder] }, holder] }, { $lt: ['$until', '$$NOW'] }] };
    const taken = {
      holder: { $cond: [isFree, holder, '$holder'] },
      until: { $cond: [isFree, { $add: ['$$NOW', leaseMs] }, '$until'] },
    };
    try {
      const options = { upsert: true, returnDocument: 'after' } as const;
      const row = await BacklogLeaseModel.collection.findOneAndUpdate({ _id: ONLY }, [{ $set: taken }], options);
      return row?.['holder'] === holder;
    } catch (error) {
      // Of two that make it at once, the other one has.
      if (error instanceof mongoose.mongo.MongoServerError && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  /** Gives the lease up for the next process that asks. */
  async giveUp(): Promise<void> {
    await BacklogLeaseModel.collection.deleteOne({ _id: ONLY, holder: this.holder });
  }
}
