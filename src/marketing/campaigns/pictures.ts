import { findShowing } from '../../sending/files';
import type { FileSearch, FileUse } from '../../sending/files';
import { CampaignModel } from './model';

/** Lists campaigns that show a picture, newest first, also those that were sent: their mail loads it when it is opened. */
export const campaignsShowing = (search: FileSearch): Promise<FileUse[]> => findShowing(CampaignModel.collection, 'campaign', search);
