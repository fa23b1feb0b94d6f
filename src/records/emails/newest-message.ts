import { CAMPAIGN_INDEX } from './indexes';
import { EmailModel } from './model';

/** Resolves to when the newest message of a campaign was written; null where there is none. */
export async function newestMessageAt(projectId: string, campaignId: string, maxTimeMS: number): Promise<Date | null> {
  const row = await EmailModel.collection.findOne<{ readonly createdAt: Date }>(
    { projectId, campaignId },
    { projection: { createdAt: 1, _id: 0 }, sort: { createdAt: -1 }, hint: CAMPAIGN_INDEX, maxTimeMS },
  );
  return row?.createdAt ?? null;
}
