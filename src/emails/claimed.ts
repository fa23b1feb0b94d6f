import { insertRows } from '../mongo/insert-rows';
import { inOneAnswer } from '../mongo/one-answer';
import { EmailModel } from './model';
import type { Email } from './model';
import { toRow } from './row';

/** Writes messages into the ledger that are on the wire from now on. Resolves to the positions of those that are there already: somebody else's. */
export const insertClaimed = (emails: readonly Email[]): Promise<readonly number[]> => insertRows(EmailModel, emails.map(toRow) as Email[]);

/** Takes back messages of an attempt of which nothing was sent. */
export async function removeClaimed(attemptId: string, ids: readonly string[]): Promise<void> {
  await EmailModel.collection.deleteMany({ _id: { $in: [...ids] as never[] }, 'attempt.id': attemptId, status: 'sending' });
}

/** Which of the messages are there. */
export async function existingIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await EmailModel.collection
    .find({ _id: { $in: [...ids] as never[] } }, { projection: { _id: 1 }, ...inOneAnswer(ids.length) })
    .toArray();
  return new Set(rows.map(({ _id }) => _id as unknown as string));
}

/** How many of the messages were charged to a reservation. */
export const chargedTo = (reservation: string, ids: readonly string[]): Promise<number> =>
  EmailModel.collection.countDocuments({ _id: { $in: [...ids] as never[] }, 'charge.reservation': reservation });
