import type { QueryFilter } from 'mongoose';
import { invalidState } from './core';
import type { Context } from './core';
import { ownRow } from './mongo';
import type { Model } from './mongo';

/** A row that can be archived: lists and pickers may leave it out, and what refers to it works as before. */
export interface Archivable {
  readonly _id: string;
  readonly projectId: string;
  /** Absent unless it is archived. */
  readonly archivedAt?: Date;
}

/** The member of the schema of such a row. The indexes of its lists end with `archivedAt`, so that what a filter leaves out is not read. */
export const ARCHIVED_AT = { type: Date } as const;

const IS_ARCHIVED = { $gt: new Date(0) };

/** Builds the condition of a list: the archived rows, the others, or all of them where it is undefined. */
export const archivedFilter = (archived: boolean | undefined): Readonly<Record<string, unknown>> =>
  archived === undefined ? {} : { archivedAt: archived ? IS_ARCHIVED : { $not: IS_ARCHIVED } };

interface Kind {
  /** Kind of the row, for the error: "Campaign". */
  readonly what: string;
  /** The state of the rows that can be archived; all of them if absent. */
  readonly idle?: Readonly<Record<string, unknown>>;
  /** Text of the refusal of the others. */
  readonly refusal?: string;
}

/**
 * Returns what archives a row, or unarchives it; a row that is in that state already stays as it is. It throws `not_found`, and `invalid_state` for a row
 * that may not be archived.
 */
export const archiving =
  <T extends Archivable>(model: Model<T>, { what, idle = {}, refusal }: Kind) =>
  async ({ projectId }: Pick<Context, 'projectId'>, id: string, isArchived: boolean): Promise<T> => {
    const own = { _id: id, projectId };
    const [filter, update] = isArchived
      ? [{ ...own, ...idle, archivedAt: null }, { $set: { archivedAt: new Date() } }]
      : [own, { $unset: { archivedAt: 1 } }];
    const changed = await model.findOneAndUpdate(filter as QueryFilter<T>, update, { returnDocument: 'after' }).lean<T>();
    if (changed) return changed;
    const row = await ownRow(model, what, own);
    if (refusal !== undefined && row.archivedAt === undefined) throw invalidState(refusal);
    return row;
  };

/** Throws `invalid_state` for an archived row: what runs is not hidden. */
export function refuseArchived({ archivedAt }: Pick<Archivable, 'archivedAt'>, what: string): void {
  if (archivedAt) throw invalidState(`This ${what} is archived. Unarchive it first`);
}
