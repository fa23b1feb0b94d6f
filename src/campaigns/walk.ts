import { CampaignRecipientModel } from './model';
import type { CampaignRecipient } from './model';

/** All recipients of a campaign: `_id` begins with its id. */
export const recipientsOf = (campaignId: string): { readonly $gt: string; readonly $lt: string } => ({
  $gt: `${campaignId}/`,
  $lt: `${campaignId}0`,
});

interface Walk {
  readonly campaignId: string;
  readonly projectId: string;
  readonly size: number;
  /** 1 goes in the order in which messages are sent. */
  readonly direction?: 1 | -1;
  /** Only those whom the campaign skipped, by what their rows say. */
  readonly skipped?: boolean;
}

/** The recipients of a campaign in pages. */
export async function* recipientPages({
  campaignId,
  projectId,
  size,
  direction = 1,
  skipped = false,
}: Walk): AsyncGenerator<CampaignRecipient[]> {
  const stored = skipped ? { campaignId, status: 'skipped' as const } : {};
  let range: Record<string, string> = recipientsOf(campaignId);
  for (;;) {
    const rows = await CampaignRecipientModel.find({ _id: range, projectId, ...stored })
      .sort({ _id: direction })
      .limit(size)
      .lean<CampaignRecipient[]>();
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < size) return;
    range = { ...range, [direction === 1 ? '$gt' : '$lt']: last._id };
  }
}
