import type { QueryFilter } from 'mongoose';
import { removeClaims } from '../../records/emails';
import { removePage } from '../../platform/mongo';
import { CampaignClickModel } from './link-model';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign } from './model';
import { forgetPages } from './page-claims';
import { contentsOf } from './content-ids';
import { recipientsOf } from './walk';

/** Campaigns at a time: few are that old and still have an audience. */
const CAMPAIGNS = 20;

const withAudience = (projectId: string, before: Date): QueryFilter<Campaign> => ({
  projectId,
  startedAt: { $gt: new Date(0), $lt: before },
  audienceRemovedAt: null,
});

/** Finds campaigns of a project that began before an instant and still have an audience: they may be recounted, so their messages are kept. */
export async function withAudienceSince(projectId: string, before: Date): Promise<readonly string[]> {
  const rows = await CampaignModel.find(withAudience(projectId, before), { _id: 1 }).lean<Pick<Campaign, '_id'>[]>();
  return rows.map(({ _id }) => _id);
}

/** Finds which of the contents scheduled or sending campaigns use. */
export async function contentsOfUnfinished(projectId: string, ids: readonly string[]): Promise<readonly string[]> {
  const filter: QueryFilter<Campaign> = { projectId, status: { $in: ['scheduled', 'sending'] } };
  const rows = await CampaignModel.find(filter, { contentIds: 1, revisions: 1 }).lean<Pick<Campaign, 'contentIds' | 'revisions'>[]>();
  const used = new Set(rows.flatMap(contentsOf));
  return ids.filter((id) => used.has(id));
}

/** Deletes a page of the per-recipient data of a project's campaign that ended before an instant. Its counters and its links stay. */
export async function removeOldAudiences(projectId: string, before: Date, now: Date, limit: number): Promise<number> {
  const filter: QueryFilter<Campaign> = {
    ...withAudience(projectId, before),
    status: { $in: ['sent', 'cancelled'] },
    // A campaign without it was cancelled, and its workflow still has to count.
    endedAt: { $lt: before },
  };
  const campaigns = await CampaignModel.find(filter, { _id: 1 }).sort({ startedAt: 1 }).limit(CAMPAIGNS).lean<Pick<Campaign, '_id'>[]>();
  let removed = 0;
  for (const campaign of campaigns) removed += await removeOf(campaign._id, now, limit);
  return removed;
}

async function removeOf(_id: string, now: Date, limit: number): Promise<number> {
  const range = { _id: recipientsOf(_id) };
  const found =
    (await removePage(CampaignRecipientModel, range as never, limit)) + (await removePage(CampaignClickModel, range as never, limit));
  if (found > 0) return found;
  await forgetPages(_id);
  await removeClaims(_id);
  await CampaignModel.updateOne({ _id }, { $set: { audienceRemovedAt: now } });
  return 1;
}
