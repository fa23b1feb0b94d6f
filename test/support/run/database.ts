import mongoose from 'mongoose';
import { migrateAll } from '../../../src/upkeep/migrations/migrate';
import { SchemaModel } from '../../../src/upkeep/migrations/model';
import { compose } from '../../../src/composition/compose';
import { watchEveryCommand } from '../checks/every-command';
import { connectMongo } from '../../../src/platform/mongo/connect';

/** Up to here, deleting rows takes less time than creating a collection with its indexes. */
const FEW = 5_000;

/**
 * Names the database of the process that runs test files, one after another: to create all collections and indexes takes longer than the tests of most
 * files, so each file finds them, emptied of what the file before it left.
 */
export const testDatabase = (): string => `test_${process.pid}`;

/** The migrated state, by server and database. */
const migrated = new Map<string, string>();

/** Connects to a database in which there is all that the models declare, and nothing else. Takes a URI that names `testDatabase()`. */
export async function connectEmptied(uri: string): Promise<void> {
  watchEveryCommand();
  compose(null);
  await connectMongo(uri);
  const rows = await rowsByCollection();
  const isMigrated = migrated.get(uri) === (await shape());
  const left = rows.filter(({ name }) => !isMigrated || name !== SchemaModel.collection.collectionName);
  await Promise.all(left.map(({ name, count }) => empty(name, count)));
  if (isMigrated && rows.every(({ count }) => count <= FEW)) return;
  await migrateAll(() => undefined);
  migrated.set(uri, await shape());
}

const database = (): mongoose.mongo.Db => mongoose.connection.getClient().db(mongoose.connection.name);

interface Catalogued {
  readonly name: string;
  readonly md?: { readonly indexes?: readonly { readonly spec: unknown }[] };
}

/** Collections, indexes, and how far the database is migrated. */
async function shape(): Promise<string> {
  const stages = [{ $listCatalog: {} }, { $match: { db: mongoose.connection.name } }, { $sort: { name: 1 } }];
  const catalog = await mongoose.connection.getClient().db('admin').aggregate<Catalogued>(stages).toArray();
  const collections = catalog.map(({ name, md }) => [name, md?.indexes?.map(({ spec }) => spec)]);
  return JSON.stringify([collections, await SchemaModel.find().lean()]);
}

interface Rows {
  readonly name: string;
  readonly count: number;
}

async function rowsByCollection(): Promise<readonly Rows[]> {
  const counting = [{ $collStats: { count: {} } }];
  const [first, ...others] = await database().listCollections({}, { nameOnly: true }).toArray();
  if (!first) return [];
  const stages = [...counting, ...others.map(({ name }) => ({ $unionWith: { coll: name, pipeline: counting } }))];
  const counts = await database().collection(first.name).aggregate<{ ns: string; count: number }>(stages).toArray();
  return counts.map(({ ns, count }) => ({ name: ns.slice(ns.indexOf('.') + 1), count }));
}

async function empty(name: string, count: number): Promise<void> {
  const rows = mongoose.connection.collection(name);
  if (!Object.values(mongoose.models).some(({ collection }) => collection.collectionName === name) || count > FEW) await rows.drop();
  else if (count > 0) await rows.deleteMany({});
}

/** Rows of each collection that are held against its schema at the end of a file. */
const CHECKED = 20;

/** Holds rows that the file has stored against the schemas of their collections. Throws a list of what is not as its schema says. */
export async function checkRows(): Promise<void> {
  const filled = new Set((await rowsByCollection()).flatMap(({ name, count }) => (count > 0 ? name : [])));
  const models = Object.values(mongoose.models).filter(({ collection }) => filled.has(collection.collectionName));
  const faults = await Promise.all(
    models.map(async (model) => {
      const rows = await model.collection.find({}, { limit: CHECKED, sort: { $natural: -1 } }).toArray();
      const found = await Promise.all(rows.map((row) => faultsOf(model, row)));
      return found.flat().map((fault) => `${model.collection.collectionName}: ${fault}`);
    }),
  );
  const all = [...new Set(faults.flat())];
  if (all.length > 0) throw new Error(`Rows differ from their schemas:\n${all.join('\n')}`);
}

async function faultsOf(model: (typeof mongoose.models)[string], row: object): Promise<readonly string[]> {
  const declared = new Set(Object.keys(model.schema.paths).map((path) => path.split('.')[0]));
  const undeclared = Object.keys(row).filter((member) => !declared.has(member));
  const document = model.hydrate(row) as mongoose.Document;
  const refusal = await document.validate().then(
    () => [],
    (error: unknown) => [String(error)],
  );
  return [...undeclared.map((member) => `${member} is not declared`), ...refusal];
}
