import type { Campaign } from '../campaigns';
import type { ProjectFacts } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { LimitBook } from '../../records/person-limits';
import { limitsOf } from '../../rules/limits-of-mail';
import { afterWaiting } from '../../rules/person-limits';
import type { LimitDetail, PersonLimit } from '../../rules/person-limits';
import type { Addressed } from './mail';

/** Recipients by what their limits say. */
interface Limited {
  /** Their messages count from now on, and go. */
  readonly open: readonly Addressed[];
  readonly reached: readonly { readonly id: string; readonly detail: LimitDetail }[];
  /** When the first one of those who wait may be asked for again; null when none waits. */
  readonly laterAt: Date | null;
}

/** Lists the limits that hold for the messages of a campaign. */
export const limitsOfCampaign = ({ testMode, topic, sendOnce }: Campaign, project: ProjectFacts): readonly PersonLimit[] =>
  limitsOf({ type: 'marketing', source: 'campaign', topicId: topic?.topicId ?? null, testMode, sendOnce }, project.frequencyCaps);

/**
 * Takes the places of recipients in the limits of a campaign. Who waits for a place stays pending, and is asked for again; who has a place from an earlier
 * look keeps it. Asks nothing where there are no limits.
 */
export async function withinLimits(campaign: Campaign, project: ProjectFacts, asked: readonly Addressed[]): Promise<Limited> {
  const limits = limitsOfCampaign(campaign, project);
  if (limits.length === 0 || asked.length === 0) return { open: asked, reached: [], laterAt: null };
  return inTransaction(async (session) => {
    const now = new Date();
    const left = afterWaiting(limits, campaign.startedAt ?? now, now);
    const limitedOf = ({ contact }: Addressed) => ({ of: contact._id, limits: left });
    const book = await LimitBook.read(session, project._id, asked.map(limitedOf), now);
    const open: Addressed[] = [];
    const reached: { readonly id: string; readonly detail: LimitDetail }[] = [];
    const later: number[] = [];
    for (const one of asked) {
      const { _id, emailId: id } = one.recipient;
      // What others reserved since a recipient took a place must not push that recipient out of it.
      const mayKeep = book.isCommitted(limitedOf(one), id) && book.mayGoNow(limitedOf(one), id);
      const sendTime = mayKeep ? { at: now } : book.sendTime(limitedOf(one), now, { id });
      if ('reached' in sendTime) reached.push({ id: _id, detail: sendTime.detail });
      else if (sendTime.at > now) later.push(sendTime.at.getTime());
      else {
        book.take(limitedOf(one), { id, at: now, campaignId: campaign._id });
        open.push(one);
      }
    }
    await book.write();
    return { open, reached, laterAt: later.length > 0 ? new Date(Math.min(...later)) : null };
  });
}
