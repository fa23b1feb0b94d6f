import { insertRows } from '../../platform/mongo/insert-rows';
import { inOneAnswer } from '../../platform/mongo/one-answer';
import { EmailModel } from './model';
import type { Email } from './model';
import { toRow } from './row';
import type { EmailRow } from './row';

/** What a row says beside its message where its events are those of its slice: how many names the slice has, and what the next server answered. */
interface OfSlice {
  readonly grouped: number;
  readonly response: string;
}

export interface NewRow {
  readonly email: Email;
  /** What became of it, over what the message says. */
  readonly set: Partial<Email>;
  readonly ofSlice: OfSlice | null;
}

/** Writes messages as they are after their attempt. Resolves to the positions of those that are there already. */
export const insertWritten = (rows: readonly NewRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows.map(({ email, set, ofSlice }) => Object.assign(toRow(email, set), ofSlice)) as Email[]);

export type WrittenRow = EmailRow & Partial<OfSlice>;

/** Rows of messages by their ids, as far as they are there, without contents. */
export const findWritten = (ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>({ _id: { $in: [...ids] as never[] } }, { projection: { inline: 0, values: 0 }, ...inOneAnswer(ids.length) })
    .toArray();

/** Rows whose events are those of a slice: the messages that an attempt of a campaign sent, all accepted at one instant. */
export const rowsOfSlice = (projectId: string, campaignId: string, at: Date, attemptId: string): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>(
      { projectId, campaignId, createdAt: at, 'attempt.id': attemptId, grouped: { $gt: 0 } },
      { projection: { recipient: 1, to: 1, contactId: 1, grouped: 1, response: 1, attempt: 1 } },
    )
    .toArray();

