import mongoose from 'mongoose';

type Model = mongoose.Model<unknown>;

const indexesOf = (model: Model) =>
  model.schema.indexes().map(([key, { background: _ignoredByServers, ...options }]) => ({ ...options, key }));

/** Lists each index that a model declares, and a collection that has none, as a line of its own: what differs in anything is another line. */
const linesOf = (model: Model): readonly string[] => {
  const { collectionName } = model.collection;
  const indexes = indexesOf(model);
  return indexes.length > 0 ? indexes.map((index) => `${collectionName} ${JSON.stringify(index)}`) : [collectionName];
};

/** Returns what the models of this process declare, line by line. */
export const declaredIndexes = (): readonly string[] => Object.values(mongoose.models).flatMap(linesOf);

/** Creates the collections and the indexes that the models declare; what is there already is left alone, and so are indexes of others. */
export async function createIndexes(): Promise<void> {
  await Promise.all(Object.values(mongoose.models).map(createIndexesOf));
}

/** Creates all indexes of a model in one command; mongoose itself would send one for each. */
async function createIndexesOf(model: Model): Promise<void> {
  const indexes = indexesOf(model);
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[]);
  else await model.createCollection();
}

const NAMESPACE_NOT_FOUND = 26;
const INDEX_NOT_FOUND = 27;

/** Drops an index, if it is there. */
export async function dropIndex(collection: string, index: string): Promise<void> {
  const rows = mongoose.connection.collection(collection);
  // To drop what is not there would make all who write wait as well.
  if (await rows.indexExists(index).catch(unlessNo(NAMESPACE_NOT_FOUND))) await rows.dropIndex(index).catch(unlessNo(INDEX_NOT_FOUND));
}

/** What another process may just have dropped is no failure. */
const unlessNo =
  (code: number) =>
  (error: unknown): false => {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === code)) throw error;
    return false;
  };
