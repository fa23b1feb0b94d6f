import mongoose from 'mongoose';

export interface QueryPlan {
  readonly plan: string;
  readonly sorted: boolean;
}

interface Profiled {
  readonly planSummary: string;
  readonly hasSortStage?: boolean;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  readonly responseLength?: number;
  readonly command?: { readonly maxTimeMS?: number };
}

/** Resolves to the profiler's notes about the commands of `work` on collections. */
async function profiled(collections: readonly string[], work: () => Promise<unknown>): Promise<Profiled[]> {
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
  return db
    .collection<Profiled>('system.profile')
    .find({ ns: { $in: collections.map((name) => `${db.databaseName}.${name}`) }, planSummary: { $exists: true } })
    .toArray();
}

/** Resolves to the plans of the commands of `work` on a collection, or on several: `IXSCAN …`, `IDHACK`, `COLLSCAN`. */
export async function queryPlans(collections: string | readonly string[], work: () => Promise<unknown>): Promise<QueryPlan[]> {
  const entries = await profiled([collections].flat(), work);
  return entries.map(({ planSummary, hasSortStage }) => ({ plan: planSummary, sorted: hasSortStage === true }));
}

/** Resolves to the number of index entries and rows that the database examined for `work`. */
export async function lookedAt(collection: string, work: () => Promise<unknown>): Promise<number> {
  const entries = await profiled([collection], work);
  return entries.reduce((sum, { keysExamined = 0, docsExamined = 0 }) => sum + keysExamined + docsExamined, 0);
}

/** Resolves to the number of rows that the database examined for `work`; entries of indexes do not count. */
export async function rowsRead(collection: string, work: () => Promise<unknown>): Promise<number> {
  return (await profiled([collection], work)).reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
}

/** Resolves to the size in bytes of the database's largest answer to the commands of `work` on a collection. */
export async function largestAnswer(collection: string, work: () => Promise<unknown>): Promise<number> {
  const entries = await profiled([collection], work);
  if (entries.length === 0) throw new Error(`Nothing was asked of ${collection}`);
  return Math.max(...entries.map(({ responseLength = 0 }) => responseLength));
}

/** For how long at most each query may run that `work` made of a collection; undefined where nothing bounds it. */
export async function timeLimits(collection: string, work: () => Promise<unknown>): Promise<(number | undefined)[]> {
  const entries = await profiled([collection], work);
  return entries.map(({ command }) => command?.maxTimeMS);
}
