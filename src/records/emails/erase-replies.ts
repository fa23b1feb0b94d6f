import { EmailModel } from './model';
import { REPLY_INDEX } from './indexes';
import type { Email } from './model';
import type { Erased } from './erase';

/** Mail that is not written for many: a campaign's address for answers is the project's own. */
const SINGLE = { source: { $in: ['transactional', 'inbound'] } } as const;

/** Finds messages to or from others whose answers go to the person, at most `limit`. */
export const findRepliesTo = ({ projectId, address, upTo }: Omit<Erased, 'contactId'>, limit: number): Promise<readonly Email[]> =>
  EmailModel.collection
    .find<Email>({ projectId, replyTo: address, ...SINGLE, createdAt: { $lte: upTo } }, { limit, hint: REPLY_INDEX })
    .toArray();

/** Takes the person out of messages as the one who gets the answers: those of mail that has not left go to its sender. */
export async function eraseRepliesTo(
  { projectId, address }: Pick<Erased, 'projectId' | 'address'>,
  ids: readonly string[],
): Promise<number> {
  const filter = { _id: { $in: [...ids] }, projectId, replyTo: address };
  return (await EmailModel.collection.updateMany(filter, { $unset: { replyTo: '', replyToName: '' } })).modifiedCount;
}
