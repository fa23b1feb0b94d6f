import type { CampaignPageResult } from '../../../src/contracts/campaign';
import type { DeliveryHost } from '../../../src/sending/deliver/host';
import type { TestApp } from '../platform/app';
import { stored } from '../data/stored';

/** Calls that send a campaign of the first project, with the whole audience as one page. */
export const campaignPages = (app: () => TestApp, host: () => DeliveryHost) => {
  const page = (campaignId: string, signal = new AbortController().signal): Promise<CampaignPageResult> =>
    host().campaignPage({
      input: { campaignId, projectId: app().keys.projectId, from: '', to: null, subject: 'own', winner: null },
      signal,
    });
  return {
    page,
    /** Sends the whole page, over several calls where it is long: each ends after its time. Resolves to how many messages went. */
    async wholePage(campaignId: string): Promise<number> {
      for (let sent = 0; ;) {
        const call = await page(campaignId);
        sent += call.sent;
        if (call.done) return sent;
      }
    },
  };
};

/**
 * Stops each slice of campaigns between its claim and its beginning, until `work` is done with the contacts of its messages. Spies on the database: restore all
 * mocks afterwards.
 */
export function beforeEachBeginning(work: (contactIds: readonly string[]) => Promise<void>): void {
  const { collection } = stored.campaignClaims;
  const write = collection.updateOne.bind(collection);
  jest.spyOn(collection, 'updateOne').mockImplementation(async (...args: Parameters<typeof write>) => {
    const [{ _id }, update] = args;
    const begins = (update as { $set?: { begun?: boolean } }).$set?.begun === true;
    const claim = begins ? await stored.campaignClaims.one(_id as unknown as string) : null;
    if (claim) await work(claim.contacts);
    return write(...args);
  });
}
