import type { CampaignKey } from '../src/contracts/campaign';
import { REMOVAL, removedTwice } from './removed-twice';
import { summarizedActivities } from './summarized';

const { removeCampaign } = summarizedActivities(REMOVAL);

/** Removes what a deleted campaign leaves, and once more what came after it. */
export const campaignRemoval = (key: CampaignKey): Promise<void> => removedTwice(() => removeCampaign(key));
