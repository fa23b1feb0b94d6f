import mongoose from 'mongoose';

type Rows = ReadonlyMap<string, readonly mongoose.mongo.BSON.Document[]>;

/** All documents of a small database as they are now. */
export async function dump(): Promise<Rows> {
  const names = (await mongoose.connection.db?.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) ?? [];
  const rows = names.map(async ({ name }) => [name, await mongoose.connection.collection(name).find().toArray()] as const);
  return new Map(await Promise.all(rows));
}

/** Puts the database back to what it was; its indexes stay. */
export async function restore(rows: Rows): Promise<void> {
  for (const name of (await dump()).keys()) await mongoose.connection.collection(name).deleteMany({});
  for (const [name, documents] of rows) if (documents.length > 0) await mongoose.connection.collection(name).insertMany([...documents]);
}
