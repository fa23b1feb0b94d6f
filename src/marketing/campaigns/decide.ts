import type { CampaignKey, Variant } from '../../contracts/campaign';
import { campaignMessages, wasTried } from '../../records/emails';
import type { CampaignMessage } from '../../records/emails';
import { winnerOf } from '../../rules/ab-winner';
import type { VariantResult } from '../../rules/ab-winner';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { recipientPages } from './walk';

const PAGE = 2_000;

/** Decides an experiment by its results so far, once: later calls get the same decision. Null when the campaign is cancelled or gone. */
export async function decideCampaign({ campaignId, projectId }: CampaignKey, beat: () => void): Promise<Variant | null> {
  const running = { _id: campaignId, projectId, status: { $in: ['sending', 'sent'] } } as const;
  if (!(await CampaignModel.exists({ ...running, abWinner: null }))) return winnerIn(running);
  const { a, b } = await countVariants(campaignId, projectId, beat);
  await CampaignModel.updateOne({ ...running, abWinner: null }, { $set: { abWinner: winnerOf(a, b), abResult: { at: new Date(), a, b } } });
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
    const messages = await campaignMessages(
      projectId,
      campaignId,
      sample.map(({ emailId }) => emailId),
    );
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
