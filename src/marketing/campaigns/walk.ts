import { CampaignRecipientModel } from './model';
import type { CampaignRecipient } from './model';

/** Returns the range of `_id` that holds all recipients, or all links, of a campaign. */
export const recipientsOf = (campaignId: string): { readonly $gt: string; readonly $lt: string } => ({
  $gt: `${campaignId}/`,
  $lt: `${campaignId}0`,
});

interface Walk {
  readonly campaignId: string;
  readonly projectId: string;
  readonly size: number;
  /** 1 is the order in which messages are sent. */
  readonly direction?: 1 | -1;
  /** Only recipients whose rows are marked as skipped. */
  readonly skipped?: boolean;
  /** Only recipients after this one. */
  readonly after?: string | null;
}

/** Reads the recipients of a campaign in pages. */
export async function* recipientPages({
  campaignId,
  projectId,
  size,
  direction = 1,
  skipped = false,
  after = null,
}: Walk): AsyncGenerator<CampaignRecipient[]> {
  const stored = skipped ? { campaignId, status: 'skipped' as const } : {};
  let range = rangeBeyond(recipientsOf(campaignId), direction, after);
  for (;;) {
    const rows = await CampaignRecipientModel.find({ _id: range, projectId, ...stored })
      .sort({ _id: direction })
      .limit(size)
      .lean<CampaignRecipient[]>();
    const last = rows.at(-1);
    if (last) yield rows;
    if (!last || rows.length < size) return;
    range = rangeBeyond(range, direction, last._id);
  }
}

const rangeBeyond = (range: Readonly<Record<string, string>>, direction: 1 | -1, last: string | null): Readonly<Record<string, string>> =>
  last === null ? range : { ...range, [direction === 1 ? '$gt' : '$lt']: last };
