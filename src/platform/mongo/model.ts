import mongoose from 'mongoose';
import type { Collection, Document } from 'mongodb';
import type { Schema } from 'mongoose';

type IdOf<T> = T extends { readonly _id: infer I } ? I : never;

interface Row<I> extends Document {
  readonly _id: I;
}

/** A Mongoose model whose driver collection knows the type of its ids. */
export type Model<T> = { readonly collection: Collection<Row<IdOf<T>>> } & mongoose.Model<T>;

/** Declares the model of a collection. */
export const model = <T>(name: string, schema: Schema<T>, collection: string): Model<T> =>
  mongoose.model<T>(name, schema, collection) as unknown as Model<T>;
