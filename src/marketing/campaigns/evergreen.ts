import { inTransaction } from '../../platform/mongo';
import { LimitBook } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import type { AudienceMember } from './audience';
import type { Campaign } from './model';

/**
 * Leaves out of the audience of an evergreen turn those who have its message, or are about to. Turns of a series do not overlap; against all else, the send-once
 * key of the turns decides again when their messages are claimed.
 */
export async function withoutReached(campaign: Campaign, members: readonly AudienceMember[]): Promise<readonly AudienceMember[]> {
  const { projectId, turn, testMode, sendOnce } = campaign;
  if (!turn?.evergreen || members.length === 0) return members;
  const limits = limitsOf({ type: 'marketing', source: 'campaign', topicId: null, testMode, sendOnce });
  const limitedOf = ({ _id }: AudienceMember) => ({ of: _id, limits });
  return inTransaction(async (session) => {
    const now = new Date();
    const book = await LimitBook.read(session, projectId, members.map(limitedOf), now);
    return members.filter((member) => 'at' in book.sendTime(limitedOf(member), now));
  });
}
