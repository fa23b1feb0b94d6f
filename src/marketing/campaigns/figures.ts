import type { Variant } from '../../contracts/campaign';
import { countOpen, countTried } from '../../records/emails';
import { compare } from '../../rules/ab-comparison';
import type { Comparison } from '../../rules/ab-comparison';
import type { VariantResult } from '../../rules/ab-winner';
import { CampaignRecipientModel } from './model';
import { messagesBegun } from './page-claims';
import type { Campaign } from './model';

type Variants = Readonly<Record<Variant, VariantResult>>;

/** Outcomes of a campaign's recipients, and of the variants of its experiment. */
export interface CampaignFigures {
  readonly sent: number;
  readonly skipped: number;
  readonly failed: number;
  readonly deferred: number;
  /** Messages by subject; null without an experiment. */
  readonly variants: Variants | null;
  readonly comparison: VariantComparison | null;
}

interface VariantComparison {
  /** When the experiment was decided, by this sample; null before that. */
  readonly decidedAt: Date | null;
  readonly sample: Variants;
  /** Null until messages of both variants were sent. */
  readonly differences: Comparison | null;
}

const NOTHING = { sent: 0, skipped: 0, failed: 0, deferred: 0, variants: null, comparison: null } as const;

/** Reads how far a campaign is; all is zero before its start. */
export async function figuresOf(campaign: Campaign): Promise<CampaignFigures> {
  if (campaign.startedAt === null) return NOTHING;
  const [reached, failed, deferred] = await Promise.all([
    reachedBy(campaign),
    countOpen(campaign._id, 'failed'),
    countOpen(campaign._id, 'queued'),
  ]);
  const variants = variantsOf(campaign);
  return { ...reached, failed, deferred, variants, comparison: variants && comparisonOf(campaign, variants) };
}

/** Reads or counts sent and skipped recipients. Once a campaign is over they are in its row, as its messages are deleted with age. */
async function reachedBy(campaign: Campaign): Promise<Pick<CampaignFigures, 'sent' | 'skipped'>> {
  const { _id: campaignId, projectId, status, phase, audienceSize } = campaign;
  if (phase === null) return { sent: campaign.sentCount, skipped: campaign.skippedCount };
  // Counting rows takes time for each row, and a client that follows a campaign polls often.
  const sent = (status === 'sending' ? await messagesBegun(campaignId) : null) ?? (await countTried(projectId, campaignId));
  // Its rows are not marked as skipped yet.
  if (status === 'cancelled') return { sent, skipped: Math.max(0, audienceSize - sent) };
  return { sent, skipped: await CampaignRecipientModel.countDocuments({ campaignId, status: 'skipped' }) };
}

const NONE: VariantResult = { sent: 0, opened: 0, clicked: 0 };

function variantsOf({ contentIds, byContent }: Campaign): Variants | null {
  if (!contentIds || contentIds.b === null) return null;
  return { a: { ...NONE, ...byContent?.[contentIds.a] }, b: { ...NONE, ...byContent?.[contentIds.b] } };
}

/** Compares the variants by the sample alone: the rest gets the winner's subject at another time. Until the decision nothing else is sent. */
function comparisonOf({ abResult }: Campaign, variants: Variants): VariantComparison {
  const sample = abResult ? { a: abResult.a, b: abResult.b } : variants;
  return { decidedAt: abResult?.at ?? null, sample, differences: compare(sample.a, sample.b) };
}
