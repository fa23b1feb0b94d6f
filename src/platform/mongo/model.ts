import mongoose, { Schema } from 'mongoose';
import type { Collection, Document } from 'mongodb';
import type { ClientSession, QueryFilter, SchemaDefinition, SchemaOptions } from 'mongoose';
import { notFound } from '../core';

type IdOf<T> = T extends { readonly _id: infer I } ? I : never;

interface Row<I> extends Document {
  readonly _id: I;
}

/** A Mongoose model whose driver collection knows the type of its ids. */
export type Model<T> = { readonly collection: Collection<Row<IdOf<T>>> } & mongoose.Model<T>;

/** Declares the model of a collection. */
export const model = <T>(name: string, schema: Schema<T>, collection: string): Model<T> =>
  mongoose.model<T>(name, schema, collection) as unknown as Model<T>;

/** The names of a row, and of its project. */
interface Own {
  readonly _id: string;
  readonly projectId: string;
}

/** Reads a row of a project by its id, in the transaction if there is one. Throws `not_found` with its kind, such as "Template". */
export async function ownRow<T>(model: Model<T>, kind: string, { _id, projectId }: Own, session?: ClientSession): Promise<T> {
  const own = { _id, projectId } as QueryFilter<T>;
  const row = await model.findOne(own, null, { session: session ?? null }).lean<T>();
  if (!row) throw notFound(kind);
  return row;
}

/** Each member of a row, and no other. */
type Members<T> = Readonly<Record<keyof T, SchemaDefinition[string]>>;

/** Declares what a row holds. A write of a member that is not declared throws; so does one without a member that is required. */
export const rowSchema = <T>(
  members: Members<T>,
  options: Pick<SchemaOptions, 'minimize' | 'suppressReservedKeysWarning'> = {},
): Schema<T> => new Schema<T>(members as never, { strict: 'throw', versionKey: false, ...options }) as never;

type AnyModel = mongoose.Model<unknown>;

const indexesOf = (model: AnyModel) =>
  model.schema.indexes().map(([key, { background: _ignoredByServers, ...options }]) => ({ ...options, key }));

/** Lists each index that a model declares, and a collection that has none, as a line of its own: what differs in anything is another line. */
const linesOf = (model: AnyModel): readonly string[] => {
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
async function createIndexesOf(model: AnyModel): Promise<void> {
  const indexes = indexesOf(model);
  if (indexes.length > 0) await model.collection.createIndexes(indexes as mongoose.mongo.IndexDescription[]);
  else await model.createCollection();
}
