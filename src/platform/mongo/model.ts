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
