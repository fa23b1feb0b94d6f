import { inOneAnswer } from '../mongo/one-answer';
import { EmailModel } from './model';

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
