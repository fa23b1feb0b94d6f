import type { CampaignKey } from '../src/contracts/campaign';
import { REMOVAL, removedTwice } from './removed-twice';
import { summarizedActivities } from './summarized';

const { removeCampaign } = summarizedActivities(REMOVAL);

/** Removes the data of a deleted campaign, and then again what was written late. */
export const campaignRemoval = (key: CampaignKey): Promise<void> => removedTwice(() => removeCampaign(key));
