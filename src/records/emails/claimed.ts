import type { CampaignKey } from '../../contracts/campaign';
import { inOneAnswer } from '../../platform/mongo';
import { idsBeingSent } from './claims';
import { EmailModel } from './model';

/** Resolves to which of a campaign's messages are there or are being sent. Claims are read first: one that ends meanwhile has left its rows. */
export async function messagesThere({ projectId, campaignId }: CampaignKey, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const claimed = await idsBeingSent(campaignId);
  const rows = await EmailModel.collection
    .find({ _id: { $in: [...ids] }, projectId }, { projection: { _id: 1 }, hint: '_id_', ...inOneAnswer(ids.length) })
    .toArray();
  return new Set([...claimed, ...rows.map(({ _id }) => _id)]);
}
