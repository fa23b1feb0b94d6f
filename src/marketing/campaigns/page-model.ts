import { model, rowSchema } from '../../platform/mongo';

/** A page of a campaign's audience, from when its first message may begin until its campaign ends: which attempt sends it, and how far it has come. */
export interface CampaignPageRow {
  /** The campaign and the position at which the page begins, in the form of its recipients' ids. */
  readonly _id: string;
  readonly campaignId: string;
  /** The attempt that may begin messages of it, its worker, and since when; null between attempts. */
  readonly attempt: string | null;
  readonly worker: string | null;
  readonly at: Date | null;
  /** Recipients up to this one are sent or skipped; null when none is known to be. */
  readonly after: string | null;
  /** No message of the recipients after it has begun, so that they need no lookup. */
  readonly untouched: boolean;
  /** Grows whenever messages of it are claimed, so that of two concurrent changes one is refused. */
  readonly slices: number;
  /** The send time of the recipients that were read last, in milliseconds; absent for a campaign without send times. */
  readonly turn?: number;
  /** Number of its messages that have begun, or are in a claim that has not. */
  readonly begun: number;
}

const text = { type: String, default: null };

const pageSchema = rowSchema<CampaignPageRow>({
  _id: { type: String, required: true },
  campaignId: { type: String, required: true },
  attempt: text,
  worker: text,
  at: { type: Date, default: null },
  after: text,
  untouched: { type: Boolean, required: true },
  turn: { type: Number },
  slices: { type: Number, default: 0 },
  begun: { type: Number, default: 0 },
});
pageSchema.index({ worker: 1 }, { partialFilterExpression: { worker: { $gt: '' } } }); // pages of a lost worker
pageSchema.index({ campaignId: 1 }); // pages of a campaign that ends

export const CampaignPageModel = model<CampaignPageRow>('CampaignPage', pageSchema, 'campaign_pages');
