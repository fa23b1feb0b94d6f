import type { z } from 'zod';
import { shownVariants } from '../http/variants';
import { RawJson } from '../../src/platform/core';
import type { ProjectFacts } from '../../src/platform/core';
import { versionOf, currentStep } from '../../src/marketing/campaigns';
import { estimateOpens, CONFIDENCE } from '../../src/rules/proportions';
import type {
  AudienceBreakdown as Breakdown,
  Campaign,
  CampaignDetail,
  CampaignFlight,
  CampaignLinkRow,
  CampaignTimeline as Timeline,
  Coverage,
  FeedOutlook as Outlook,
  Reached,
  RecipientView,
  TurnView,
} from '../../src/marketing/campaigns';
import type { Preflight } from '../../src/marketing/preflight';
import type { CampaignPlan } from './launch';
import type { CampaignPreflight } from './preflight-schemas';
import type {
  AudienceBreakdown,
  CampaignLink as WireLink,
  CampaignRecipient as WireRecipient,
  CampaignCoverage,
} from './recipient-schemas';
import type { CampaignDetail as WireDetail, Campaign as WireCampaign, PausedCampaign } from './schemas';
import type { FeedOutlook } from './feed-schemas';
import type { CampaignTurn } from './schedule-schemas';
import type { CampaignTimeline } from '../stats/schemas';
import type { ShownRollout } from './rollout-schemas';

type Wire = z.input<typeof WireCampaign>;

export function toCampaign(campaign: Campaign): Wire {
  const { projectId, name, subject, previewText, body, fromName, fromEmail, replyTo, status, heldReason, testMode, audience } = campaign;
  const { segmentId, filter, abSubjectB, abSamplePct, abWinner, throttlePerMinute } = campaign;
  const { abDecideAt, scheduledFor, sentAt, createdAt } = campaign;
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
    ...(campaign.variants && { variants: shownVariants(campaign.variants) }),
    status,
    heldReason: campaign.paused ? 'paused' : heldReason,
    testMode,
    audience,
    bodyBlocks: campaign.bodyBlocks === null ? null : new RawJson(campaign.bodyBlocks),
    segmentId,
    filter,
    ...(campaign.topic && { topicId: campaign.topic.topicId }),
    ...(campaign.sendOnce && { sendOnce: campaign.sendOnce }),
    abSubjectB,
    abSamplePct,
    abWinner,
    throttlePerMinute,
    abDecideAt,
    scheduledFor,
    sentAt,
    totalRecipients: campaign.audienceSize,
    ...toResults(campaign),
    createdAt,
    ...(campaign.archivedAt && { archivedAt: campaign.archivedAt }),
    ...toMachines(campaign),
    ...(campaign.paused && { paused: { ...campaign.paused, alsoHeld: heldReason } }),
    ...recurrenceOf(campaign),
    ...toTimes(campaign),
    ...(campaign.rollout && { rollout: toRollout(campaign, campaign.rollout) }),
    ...(versionOf(campaign) > 1 && { contentVersion: versionOf(campaign) }),
  };
}

const toResults = ({ counters: { delivered, opened, clicked, bounced, complained, unsubscribed } }: Campaign) => ({
  delivered,
  opened,
  clicked,
  bounced,
  complained,
  unsubscribed,
});

/** Shows what machines did, where they did something. */
function toMachines({ counters }: Campaign): Pick<Wire, 'machines'> {
  const { delivered, opened, proxied = 0, proxiedOpened = 0, scanned = 0 } = counters;
  if (proxied + scanned === 0) return {};
  return { machines: { proxied, scanned, estimate: estimateOpens({ delivered, opened, proxied, proxiedOpened }) } };
}

const recurrenceOf = (campaign: Campaign): Pick<Wire, 'schedule' | 'evergreen' | 'feed' | 'nextTurnAt' | 'turns' | 'turnOf'> => ({
  ...(campaign.schedule && {
    schedule: { ...campaign.schedule, until: campaign.schedule.until ?? null, count: campaign.schedule.count ?? null },
  }),
  ...(campaign.evergreen && { evergreen: true as const }),
  ...(campaign.feed && { feed: campaign.feed }),
  ...(campaign.series && { nextTurnAt: nextTurnOf(campaign), turns: campaign.series.turns }),
  ...(campaign.turn && { turnOf: campaign.turn }),
});

/** Returns the times of a campaign that differ from the defaults: when its messages go out and when its winner is chosen. */
const toTimes = ({ decide, windows, timing }: Campaign): Pick<Wire, 'decide' | 'windows' | 'localTime'> => ({
  ...(decide && { decide }),
  ...(windows && { windows }),
  ...(timing?.localTime && { localTime: timing.localTime }),
});

/** Returns null for a series that is over: it has no next turn. */
const nextTurnOf = ({ status, series }: Campaign): Date | null => (status === 'sending' ? (series?.nextAt ?? null) : null);

export const toTurn = ({ number, at, campaignId, skipReason, skipDetail, items, campaign }: TurnView): z.input<typeof CampaignTurn> => ({
  number,
  at,
  status: campaignId === null ? 'skipped' : turnStatus(campaign),
  skipReason,
  ...(skipDetail !== undefined && { skipDetail }),
  campaignId,
  totalRecipients: campaign?.audienceSize ?? 0,
  sentAt: campaign?.sentAt ?? null,
  ...(items && { items: items.map(({ guid, title, url }) => ({ guid, title, url })) }),
});

export const toFeedOutlook = ({ content: { title, items }, ...outlook }: Outlook): z.input<typeof FeedOutlook> => ({
  title,
  items: [...items],
  ...outlook,
});

const turnStatus = (campaign: Campaign | null): z.input<typeof CampaignTurn>['status'] =>
  campaign === null || campaign.status === 'draft' ? 'deleted' : campaign.status === 'scheduled' ? 'sending' : campaign.status;

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
  { campaign, estimatedAudience, figures, nextAt, heldProviders }: CampaignDetail,
  project: ProjectFacts,
): z.input<typeof WireDetail> => ({
  ...toCampaign(campaign),
  estimatedAudience,
  ...figures,
  comparison: figures.comparison && toComparison(figures.comparison),
  nextAt,
  ...(heldProviders.length > 0 && { heldProviders }),
  warnings: campaign.status === 'draft' ? launchWarnings(project) : [],
});

const toComparison = ({ decidedAt, sample, differences }: NonNullable<CampaignDetail['figures']['comparison']>) => ({
  decidedAt,
  confidence: CONFIDENCE,
  sample,
  opens: differences && differences.opens,
  clicks: differences && differences.clicks,
});

export const toRecipient = ({ id, ...recipient }: RecipientView): z.input<typeof WireRecipient> => ({
  campaignRecipientId: id,
  ...recipient,
});

export const toTimeline = ({ series, ...timeline }: Timeline): z.input<typeof CampaignTimeline> => ({
  ...timeline,
  series: series.map(({ at, counts }) => ({ at, ...counts })),
});

/** Shows the clicks on a link: in all messages, or in messages with one version of the content. */
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

const HOUR_MS = 3_600_000;

/** Puts a flight together by hour. */
export function toPlan({ start, hours, fallback, late, closed, expired, paused, leftOut }: CampaignFlight): z.input<typeof CampaignPlan> {
  const byHour = new Map<number, CampaignFlight['hours'][number][]>();
  for (const one of hours) {
    const hour = Math.floor(one.at / HOUR_MS);
    const others = byHour.get(hour);
    if (others) others.push(one);
    else byHour.set(hour, [one]);
  }
  const never = [
    { reason: 'unsubscribed' as const, count: leftOut.unsubscribed },
    { reason: 'unsubscribed' as const, detail: 'topic', count: leftOut.topic ?? 0 },
    { reason: 'unsubscribed' as const, detail: 'paused', count: paused },
    ...Object.entries(leftOut.suppressed).map(([detail, count]) => ({ reason: 'suppressed' as const, detail, count })),
    { reason: 'limit_reached' as const, detail: 'closed', count: closed },
    { reason: 'limit_reached' as const, detail: 'expired', count: expired },
  ];
  return {
    startsAt: start,
    lastAt: hours.length === 0 ? null : new Date(Math.max(...hours.map(({ at }) => at))),
    recipients: sumOf(hours),
    hours: [...byHour].map(([hour, zones]) => ({
      hour: new Date(hour * HOUR_MS),
      count: sumOf(zones),
      zones: zones.map(({ zone, at, count }) => ({ timezone: zone, at: new Date(at), count })),
    })),
    fallback,
    late,
    never: never.filter(({ count }) => count > 0),
  };
}

const sumOf = (counted: readonly { readonly count: number }[]): number => counted.reduce((sum, { count }) => sum + count, 0);

export const toPreflight = (preflight: Preflight): z.input<typeof CampaignPreflight> => ({
  ...preflight,
  blocking: preflight.checks.some(({ level }) => level === 'block'),
});

export const toCoverage = ({ languages, ...coverage }: Coverage): z.input<typeof CampaignCoverage> => ({
  ...coverage,
  languages: languages.map((each) => ({ ...each, share: coverage.recipients === 0 ? 0 : each.recipients / coverage.recipients })),
});

type Rollout = NonNullable<Campaign['rollout']>;
type Step = Rollout['steps'][number];
type Shown = z.input<typeof ShownRollout>[number];

/** Returns how far a campaign is in a step that is `ahead` of the one that it is at; that one is 0. */
function stateOf({ status }: Campaign, { sentAt, findings = [] }: Step, ahead: number): Shown['state'] {
  if (ahead < 0 || status === 'sent') return 'done';
  if (status === 'cancelled') return 'cancelled';
  if (ahead > 0 || status !== 'sending') return 'pending';
  if (!sentAt) return 'sending';
  return findings.length > 0 ? 'held' : 'waiting';
}

function toStep(step: Step, state: Shown['state'], nextAt: Date | null): Shown {
  const { percent, wait, recipients = null, sentAt = null, counts = null, findings = [] } = step;
  const checkAt = state === 'waiting' ? nextAt : null;
  return { percent, wait, state, recipients, sentAt, checkAt, result: counts, findings };
}

/** Shows the steps of a campaign, and how far each is. */
function toRollout(campaign: Campaign, rollout: Rollout): Shown[] {
  const current = currentStep(rollout);
  return rollout.steps.map((step, index) => toStep(step, stateOf(campaign, step, index - current), rollout.nextAt ?? null));
}
