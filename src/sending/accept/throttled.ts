import type { Core, ProjectFacts } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { RateBucketModel } from './models';
import type { RateBucket } from './models';
import { Bucket } from './rate';

/**
 * Resolves to how many of the wanted campaign messages may go now: all, unless the project's reputation is throttled; then what its bucket holds, which is
 * taken from it (docs/sending.md, Reputation).
 */
export function takeUnits({ config }: Pick<Core, 'config'>, project: ProjectFacts, wanted: number): Promise<number> {
  if (project.reputation.state !== 'throttled') return Promise.resolve(wanted);
  return inTransaction(async (session) => {
    const now = await databaseNow();
    const row = await RateBucketModel.collection.findOne<RateBucket>({ _id: project._id } as never, { session });
    const bucket = new Bucket(config, project, row, now);
    const units = Math.min(wanted, Math.floor(bucket.units));
    bucket.take(units);
    const rest = { units: bucket.units, at: bucket.at };
    await RateBucketModel.collection.updateOne({ _id: project._id } as never, { $set: rest }, { session, upsert: true });
    return units;
  });
}
