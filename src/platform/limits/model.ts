import { model, rowSchema } from '../mongo';

/** The use of a limit since its window began. */
export interface Limit {
  /** A hash: whose limit it is cannot be read from it. */
  readonly _id: string;
  readonly count: number;
  readonly until: Date;
  /** Whether the last request was within the limit, and when it came, by the database's clock. */
  readonly allowed: boolean;
  readonly at: Date;
}

const limitSchema = rowSchema<Limit>({
  _id: { type: String, required: true },
  count: { type: Number, required: true },
  until: { type: Date, required: true },
  allowed: { type: Boolean, required: true },
  at: { type: Date, required: true },
});
limitSchema.index({ until: 1 }, { expireAfterSeconds: 0 }); // a window that has ended is of no use

export const LimitModel = model<Limit>('Limit', limitSchema, 'limits');
