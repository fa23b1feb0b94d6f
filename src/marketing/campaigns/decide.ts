import type { CampaignKey, Variant } from '../../contracts/campaign';
import { campaignMessages, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import { winnerOf } from '../../rules/ab-test';
import type { VariantResult } from '../../rules/ab-test';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { recipientPages } from './walk';

const PAGE = 2_000;

/** The campaign is paused, and its winner is decided after that. */
export class DecisionWaits extends Error {
  override readonly name = 'DecisionWaits';
}

/**
 * Decides an experiment by its results so far, once: later calls get the same decision. Null when the campaign is cancelled or gone. Throws `DecisionWaits`;
 * a pause whose end has passed is over, whether a page has noticed that or not.
 */
export async function decideCampaign({ campaignId, projectId }: CampaignKey, beat: () => void): Promise<Variant | null> {
  const running = { _id: campaignId, projectId, status: { $in: ['sending', 'sent'] } } as const;
  const undecided = { ...running, abWinner: null };
  const ready = () => ({
    ...undecided,
    $or: [{ decide: { $exists: false } }, { paused: { $exists: false } }, { 'paused.until': { $lte: new Date() } }],
  });
  if (await CampaignModel.exists(ready())) {
    const { a, b } = await countVariants(campaignId, projectId, beat);
    // Paused meanwhile, it waits.
    await CampaignModel.updateOne(ready(), { $set: { abWinner: winnerOf(a, b), abResult: { at: new Date(), a, b } } });
  }
  if (await CampaignModel.exists(undecided)) throw new DecisionWaits('The campaign is paused');
  return winnerIn(running);
}

async function winnerIn(filter: object): Promise<Variant | null> {
  return (await CampaignModel.findOne(filter, { abWinner: 1 }).lean<Pick<Campaign, 'abWinner'>>())?.abWinner ?? null;
}

/** Counts the results of the sample, which comes first in the order of `_id` and ends at the first recipient on hold. */
async function countVariants(campaignId: string, projectId: string, beat: () => void): Promise<Readonly<Record<Variant, VariantResult>>> {
  const results = { a: { sent: 0, opened: 0, clicked: 0 }, b: { sent: 0, opened: 0, clicked: 0 } };
  for await (const rows of recipientPages({ campaignId, projectId, size: PAGE })) {
    const sample = rows.filter(({ variant }) => variant === 'a' || variant === 'b');
    const emailIds = sample.map(({ emailId }) => emailId);
    const messages = await campaignMessages(projectId, campaignId, emailIds);
    for (const { variant, emailId } of sample) add(results[variant as Variant], messages.get(emailId));
    if (sample.length < rows.length) break;
    beat();
  }
  return results;
}

function add(result: { sent: number; opened: number; clicked: number }, message: CampaignMessage | undefined): void {
  if (!message || !wasTried(message)) return;
  result.sent += 1;
  if (message.openedAt) result.opened += 1;
  if (message.clickedAt) result.clicked += 1;
}
