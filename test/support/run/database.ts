import mongoose from 'mongoose';
import { migrateAll } from '../../../src/upkeep/migrations/migrate-all';
import { compose } from '../../../src/composition/compose';
import { connectMongo } from '../../../src/platform/mongo/connect';

/** Up to here to delete rows takes less than to create a collection and its indexes anew. */
const FEW = 5_000;

/**
 * Names the database of the process that runs test files, one after another: to create all collections and indexes takes longer than the tests of most
 * files, so each file finds them, emptied of what the file before it left.
 */
export const testDatabase = (): string => `test_${process.pid}`;

/** Connects to a database in which there is all that the models declare, and nothing else. Takes a URI that names `testDatabase()`. */
export async function connectEmptied(uri: string): Promise<void> {
  compose(null);
  await connectMongo(uri);
  await Promise.all((await mongoose.connection.listCollections()).map(({ name }) => empty(name)));
  await migrateAll(() => undefined);
}

async function empty(name: string): Promise<void> {
  const rows = mongoose.connection.collection(name);
  const count = await rows.estimatedDocumentCount();
  if (!Object.values(mongoose.models).some(({ collection }) => collection.collectionName === name) || count > FEW) await rows.drop();
  else if (count > 0) await rows.deleteMany({});
}
