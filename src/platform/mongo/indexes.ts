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

/** Creates the collections and indexes that the models declare. Existing ones, and indexes of others, are left alone. */
export async function createIndexes(): Promise<void> {
  await Promise.all(Object.values(mongoose.models).map(createIndexesOf));
}

/** Creates all indexes of a model in one command; mongoose itself would send one for each. */
async function createIndexesOf(model: Model): Promise<void> {
  const indexes = indexesOf(model);
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[]);
  else await model.createCollection();
}
