import type { CampaignPageResult } from '../../../src/contracts/campaign';
import type { DeliveryHost } from '../../../src/sending/deliver/host';
import type { TestApp } from '../platform/app';

/** Calls that send a campaign of the first project, with the whole audience as one page. */
export const campaignPages = (app: () => TestApp, host: () => DeliveryHost) => {
  const page = (campaignId: string, signal = new AbortController().signal): Promise<CampaignPageResult> =>
    host().campaignPage({
      input: { campaignId, projectId: app().keys.projectId, from: '', to: null, subject: 'own', winner: null },
      signal,
    });
  return {
    page,
    /** A call ends after its time, however much is left. */
    async wholePage(campaignId: string): Promise<void> {
      while (!(await page(campaignId)).done);
    },
  };
};
