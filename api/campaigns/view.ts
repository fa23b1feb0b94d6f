import type { z } from 'zod';
import { RawJson } from '../../src/platform/core';
import type { ProjectFacts } from '../../src/platform/core';
import { versionOf } from '../../src/marketing/campaigns';
import { CONFIDENCE } from '../../src/rules/ab-comparison';
import type {
  AudienceBreakdown as Breakdown,
  Campaign,
  CampaignDetail,
  CampaignLinkRow,
  Reached,
  RecipientView,
} from '../../src/marketing/campaigns';
import type {
  AudienceBreakdown,
  CampaignLink as WireLink,
  CampaignRecipient as WireRecipient,
  CampaignDetail as WireDetail,
  Campaign as WireCampaign,
  Paused,
  PausedCampaign,
} from './schemas';

type Wire = z.input<typeof WireCampaign>;

const isoOrNull = (date: Date | null): string | null => date && date.toISOString();

export function toCampaign(campaign: Campaign): Wire {
  const { projectId, name, subject, previewText, body, fromName, fromEmail, replyTo, status, heldReason, testMode, audience } = campaign;
  const { segmentId, filter, abSubjectB, abSamplePct, abWinner, throttlePerMinute, counters } = campaign;
  const { delivered, opened, clicked, bounced, complained, unsubscribed } = counters;
  return {
    campaignId: campaign._id,
    projectId,
    name,
    subject,
    previewText,
    body,
    fromName,
    fromEmail,
    replyTo,
    status,
    heldReason: campaign.paused ? 'paused' : heldReason,
    testMode,
    audience,
    bodyBlocks: campaign.bodyBlocks === null ? null : new RawJson(campaign.bodyBlocks),
    segmentId,
    filter,
    ...(campaign.topic && { topicId: campaign.topic.topicId }),
    abSubjectB,
    abSamplePct,
    abWinner,
    throttlePerMinute,
    abDecideAt: isoOrNull(campaign.abDecideAt),
    scheduledFor: isoOrNull(campaign.scheduledFor),
    sentAt: isoOrNull(campaign.sentAt),
    totalRecipients: campaign.audienceSize,
    delivered,
    opened,
    clicked,
    bounced,
    complained,
    unsubscribed,
    createdAt: campaign.createdAt.toISOString(),
    ...(campaign.paused && { paused: toPause(campaign.paused, heldReason) }),
    ...(versionOf(campaign) > 1 && { contentVersion: versionOf(campaign) }),
  };
}

const toPause = ({ at, until, retries }: NonNullable<Campaign['paused']>, alsoHeld: string | null): z.input<typeof Paused> => ({
  at: at.toISOString(),
  until: isoOrNull(until),
  retries,
  alsoHeld,
});

export const toPausedCampaign = ({ campaign, reached }: { campaign: Campaign; reached: Reached }): z.input<typeof PausedCampaign> => ({
  ...toCampaign(campaign),
  ...reached,
});

/** Laws on commercial mail ask for the sender's postal address in each message. */
const NO_ADDRESS = {
  code: 'no_postal_address' as const,
  message: 'The footer has no postal address. Set brand.address with PATCH /v1/settings before you send.',
};

/** Returns what the author of a campaign should know before it is sent. */
const launchWarnings = ({ brand }: Pick<ProjectFacts, 'brand'>) => (brand?.address === undefined ? [NO_ADDRESS] : []);

export const toCampaignDetail = (
  { campaign, estimatedAudience, figures }: CampaignDetail,
  project: ProjectFacts,
): z.input<typeof WireDetail> => ({
  ...toCampaign(campaign),
  estimatedAudience,
  ...figures,
  comparison: figures.comparison && toComparison(figures.comparison),
  byVersion: figures.byVersion && figures.byVersion.map((each) => ({ ...each, until: isoOrNull(each.until) })),
  warnings: campaign.status === 'draft' ? launchWarnings(project) : [],
});

const toComparison = ({ decidedAt, sample, differences }: NonNullable<CampaignDetail['figures']['comparison']>) => ({
  decidedAt: isoOrNull(decidedAt),
  confidence: CONFIDENCE,
  sample,
  opens: differences && differences.opens,
  clicks: differences && differences.clicks,
});

export const toRecipient = ({ id, createdAt, ...recipient }: RecipientView): z.input<typeof WireRecipient> => ({
  campaignRecipientId: id,
  ...recipient,
  createdAt: createdAt.toISOString(),
});

/** Shows the clicks on a link, of all messages or of those of one version of the content. */
export function toLink(link: CampaignLinkRow, version: number | null): z.input<typeof WireLink> {
  const { clicks, uniqueClicks } = version === null ? link : (link.byVersion?.[version] ?? { clicks: 0, uniqueClicks: 0 });
  return { url: link.url, clicks, uniqueClicks };
}

/** Adds up why contacts are left out. */
export function toBreakdown({ named, unsubscribed, suppressed, topic }: Breakdown): z.input<typeof AudienceBreakdown> {
  const stopped = Object.values(suppressed).reduce((sum, some) => sum + some, 0);
  // Counted one after the other: somebody may have changed sides meanwhile.
  const count = Math.max(0, named - unsubscribed - stopped - (topic ?? 0));
  return { named, count, leftOut: { unsubscribed, suppressed, ...(topic !== undefined && { topic }) } };
}
