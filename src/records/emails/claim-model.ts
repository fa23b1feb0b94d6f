import { model, rowSchema } from '../../platform/mongo';

/**
 * Messages of a campaign that a worker is about to send or is sending: one document for all of them, since their rows are written once,
 * when their outcomes are known. Its id is that of their attempt. Claims of a page are created together, and each begins when its mail may
 * be sent. It ends when its rows and all their consequences are stored.
 */
export interface CampaignClaim {
  readonly _id: string;
  readonly projectId: string;
  readonly campaignId: string;
  /** The page that the messages are of. */
  readonly page: string;
  readonly testMode: boolean;
  /** The worker that has them, by its lease. */
  readonly worker: string;
  /** The instant at which the messages were accepted. */
  readonly at: Date;
  /** The ids that the messages have. None is in two claims: the page that they are of is one attempt's. */
  readonly emails: readonly string[];
  /** Their recipients, in the same order. */
  readonly contacts: readonly string[];
  readonly to: readonly string[];
  /** The content of each, or of all. */
  readonly contents: readonly string[];
  /** The transport of each, or of all; absent where the operator has one. Known once it has begun. */
  readonly transports?: readonly string[];
  /** The month that was charged; null in test mode. */
  readonly month: string | null;
  /** Whether a message of it may have been handed to a connection. Until then, it is deleted with its charge when the page is taken away. */
  readonly begun: boolean;
}

const texts = { type: [String], required: true };

const claimSchema = rowSchema<CampaignClaim>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  campaignId: { type: String, required: true },
  page: { type: String, required: true },
  testMode: { type: Boolean, required: true },
  worker: { type: String, required: true },
  at: { type: Date, required: true },
  emails: texts,
  contacts: texts,
  to: texts,
  contents: texts,
  transports: { type: [String], default: undefined },
  month: { type: String, default: null },
  begun: { type: Boolean, required: true },
});
// What is in a claim is looked for in all of them: there are a few for each worker, and an index would have an entry for each message of a campaign.
claimSchema.index({ worker: 1 }); // what a lost worker had
claimSchema.index({ campaignId: 1 }); // who of a campaign is being sent to

export const CampaignClaimModel = model<CampaignClaim>('CampaignClaim', claimSchema, 'campaign_claims');
