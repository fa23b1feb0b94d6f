import { OPEN_INDEX } from './indexes';
import { EmailModel } from './model';

interface OfCampaign {
  readonly projectId: string;
  readonly campaignId: string;
}

/** The reason that `GET /v1/emails/{id}` shows for a message whose campaign is paused with its retries. */
const HELD = 'Waits until the campaign is resumed';

/** Defers the retries of a campaign that are due before an instant. A message that is found due, and not claimed, is not claimed any more. */
export async function holdRetries(of: OfCampaign, dueBefore: Date, until: Date): Promise<void> {
  const waiting = { ...of, status: 'queued', dueAt: { $lte: dueBefore } };
  await EmailModel.collection.updateMany(waiting, { $set: { dueAt: until, error: HELD } }, { hint: OPEN_INDEX });
}

/** Ends the wait of the retries that were held: they are due. Resolves to whether there are any. */
export async function releaseRetries(of: OfCampaign, at: Date): Promise<boolean> {
  const held = { ...of, status: 'queued', error: HELD };
  const { modifiedCount } = await EmailModel.collection.updateMany(held, { $set: { dueAt: at, error: null } }, { hint: OPEN_INDEX });
  return modifiedCount > 0;
}
