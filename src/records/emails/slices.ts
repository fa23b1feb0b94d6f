import { timePrefix } from '../../platform/core';
import { EmailModel, SLICE_INDEX } from './model';
import type { EmailSource } from './model';

/** Returns what ids of slices of an instant begin with. */
const idAt = (at: Date): string => timePrefix('evg', at.getTime());

/** Resolves to the slices that were made within a span and have rows. Reads one key of the index for each. */
export async function slicesBetween(from: Date, to: Date): Promise<readonly string[]> {
  const found = await EmailModel.collection
    .aggregate<{ _id: string }>([{ $match: { slice: { $gt: idAt(from), $lt: idAt(to) } } }, { $group: { _id: '$slice' } }], {
      hint: SLICE_INDEX,
    })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** What the rows of a slice say of it. */
export interface RowsOfSlice {
  readonly id: string;
  readonly projectId: string;
  readonly source: EmailSource;
  readonly grouped: number;
  readonly at: Date;
  readonly count: number;
}

/** Resolves to what slices are by their rows. */
export const slicesOfRows = (ids: readonly string[]): Promise<RowsOfSlice[]> =>
  EmailModel.collection
    .aggregate<RowsOfSlice>(
      [
        { $match: { slice: { $in: [...ids] } } },
        {
          $group: {
            _id: '$slice',
            projectId: { $first: '$projectId' },
            source: { $first: '$source' },
            grouped: { $max: '$grouped' },
            at: { $min: '$sentAt' },
            count: { $sum: 1 },
          },
        },
        { $project: { _id: 0, id: '$_id', projectId: 1, source: 1, grouped: 1, at: 1, count: 1 } },
      ],
      { hint: SLICE_INDEX },
    )
    .toArray();
