import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Clicks by people on one link of a campaign, counted in the transactions that record them. */
export interface CampaignLinkRow {
  /** `<campaignId>/<hash of the URL>` */
  readonly _id: string;
  readonly projectId: string;
  readonly campaignId: string;
  /** The URL as written in the content, with its placeholders. */
  readonly url: string;
  readonly clicks: number;
  /** Messages in which it was clicked. */
  readonly uniqueClicks: number;
  /** Both, of the messages of each version of the content. */
  readonly byVersion?: Readonly<Record<string, LinkCounts>>;
}

type LinkCounts = Pick<CampaignLinkRow, 'clicks' | 'uniqueClicks'>;

const count = { type: Number, default: 0 };

const linkSchema = rowSchema<CampaignLinkRow>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  campaignId: { type: String, required: true },
  url: { type: String, required: true },
  clicks: count,
  uniqueClicks: count,
  byVersion: { type: Schema.Types.Mixed },
});
// A campaign's links are a range of `_id`, which begins with the campaign.

export const CampaignLinkModel = model<CampaignLinkRow>('CampaignLink', linkSchema, 'campaign_links');

/** Marks that a link was clicked in a message. */
export interface CampaignClick {
  /** `<campaignId>/<hash of message and URL>` */
  readonly _id: string;
  /** When the first click was counted. */
  readonly at: Date;
}

const clickSchema = rowSchema<CampaignClick>({ _id: { type: String, required: true }, at: { type: Date, required: true } });

export const CampaignClickModel = model<CampaignClick>('CampaignClick', clickSchema, 'campaign_clicks');
