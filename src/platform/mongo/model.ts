import mongoose, { Schema } from 'mongoose';
import type { Collection, Document } from 'mongodb';
import type { SchemaDefinition, SchemaOptions } from 'mongoose';

type IdOf<T> = T extends { readonly _id: infer I } ? I : never;

interface Row<I> extends Document {
  readonly _id: I;
}

/** A Mongoose model whose driver collection knows the type of its ids. */
export type Model<T> = { readonly collection: Collection<Row<IdOf<T>>> } & mongoose.Model<T>;

/** Declares the model of a collection. */
export const model = <T>(name: string, schema: Schema<T>, collection: string): Model<T> =>
  mongoose.model<T>(name, schema, collection) as unknown as Model<T>;

/** Each member of a row, and no other. */
type Members<T> = Readonly<Record<keyof T, SchemaDefinition[string]>>;

/** Declares what a row holds. A write of a member that is not declared throws; so does one without a member that is required. */
export const rowSchema = <T>(
  members: Members<T>,
  options: Pick<SchemaOptions, 'minimize' | 'suppressReservedKeysWarning'> = {},
): Schema<T> => new Schema<T>(members as never, { strict: 'throw', versionKey: false, ...options }) as never;
