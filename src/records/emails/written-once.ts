import { inOneAnswer, insertRows } from '../../platform/mongo';
import { EmailModel } from './model';
import type { RowEvents } from './history';
import type { Email } from './model';
import type { EmailRow } from './row';

/** Writes messages as they are after their attempt. Resolves to the positions of those that already exist. */
export const insertWrittenRows = (rows: readonly WrittenRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows as readonly Email[]);

export type WrittenRow = EmailRow & RowEvents;

/** Finds existing rows of messages by their ids, without contents. */
export const findWritten = (projectId: string, ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>(
      { _id: { $in: [...ids] }, projectId },
      { projection: { inline: 0, values: 0 }, hint: '_id_', ...inOneAnswer(ids.length) },
    )
    .toArray();
