import { contentShowing } from '../../sending/files';
import type { FileSearch, FileUse } from '../../sending/files';
import { CampaignModel } from './model';
import type { Campaign } from './model';

/** Lists campaigns that show a picture, newest first, also those that were sent: their mail loads it when it is opened. */
export async function campaignsShowing(search: FileSearch): Promise<FileUse[]> {
  const rows = await CampaignModel.find(contentShowing(search), { name: 1 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(search.most)
    .maxTimeMS(search.mostMs)
    .lean<Pick<Campaign, '_id' | 'name'>[]>();
  return rows.map(({ _id: id, name }) => ({ kind: 'campaign', id, name }));
}
