import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** One instant of a series, with its turn or the reason why it had none. */
export interface CampaignTurn {
  /** `turnIdOf`: one for each instant of a series, in their order. */
  readonly _id: string;
  readonly projectId: string;
  /** Counts the instants from 1 on, those without a turn included. */
  readonly number: number;
  readonly at: Date;
  /** The campaign of the turn; null where it was skipped. */
  readonly campaignId: string | null;
  readonly skipReason: string | null;
  /** The error of its feed, if that is why it was skipped. */
  readonly skipDetail?: string;
  /** The entries of the feed that it sends; absent where there are none. */
  readonly items?: readonly TurnItem[];
}

/** An entry of a feed that a turn sends. */
export interface TurnItem {
  /** `entryIdOf`. */
  readonly id: string;
  readonly guid: string;
  readonly title: string | null;
  readonly url: string | null;
}

const DIGITS = 14;

/** Derives the `_id` of an instant's row: it begins with the series. */
export const turnIdOf = (seriesId: string, at: Date): string => `${seriesId}/${String(at.getTime()).padStart(DIGITS, '0')}`;

const turnSchema = rowSchema<CampaignTurn>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  number: { type: Number, required: true },
  at: { type: Date, required: true },
  campaignId: { type: String, default: null },
  skipReason: { type: String, default: null },
  skipDetail: { type: String },
  items: { type: [Schema.Types.Mixed], default: undefined },
});

turnSchema.index({ projectId: 1, 'items.id': 1 }, { partialFilterExpression: { 'items.id': { $exists: true } } }); // entries of feeds that were sent
// Lists and removals walk ranges of `_id`, which begin with the series.
export const CampaignTurnModel = model<CampaignTurn>('CampaignTurn', turnSchema, 'campaign_turns');
