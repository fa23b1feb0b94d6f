import mongoose from 'mongoose';

export interface QueryPlan {
  readonly plan: string;
  readonly sorted: boolean;
}

/** How the database carried out what `work` asked of a collection, by its profiler: `IXSCAN …`, `IDHACK`, `COLLSCAN`. */
export async function queryPlans(collection: string, work: () => Promise<unknown>): Promise<QueryPlan[]> {
  const db = mongoose.connection.db;
  if (!db) throw new Error('Not connected');
  await db.command({ profile: 0 });
  await db.collection('system.profile').drop();
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const entries = await db
    .collection('system.profile')
    .find({ ns: `${db.databaseName}.${collection}`, planSummary: { $exists: true } })
    .toArray();
  return entries.map((entry) => ({ plan: String(entry['planSummary']), sorted: entry['hasSortStage'] === true }));
}
