import type { Context, PageRequest, Rows } from '../../platform/core';
import { AppError, invalid, invalidState, notFound, positionAt } from '../../platform/core';
import { campaignRemovalId } from '../../contracts/campaign';
import type { StartIntent } from '../../contracts/processes';
import { archivedFilter, archiving } from '../../platform/archive';
import { containing, inTransaction, newest, rowsOf } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { segmentExists } from '../../audience/segments';
import { findMailTopics } from '../../audience/topics';
import { countAudience, breakDownAudience } from './audience';
import { idsOfSubject } from './contents';
import type { AudienceBreakdown, Audience } from './audience';
import { readCampaign } from './drafts';
import { CampaignLinkModel } from './link-model';
import type { CampaignLinkRow } from './link-model';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { heldProviders } from './providers';
import type { HeldProvider } from './providers';
import { filterFaults, refuse } from './refusals';
import { versionOf } from './revise';
import { nextSendTimeAfter } from './send-times';
import { recipientsOf } from './walk';
import type { Variant } from '../../contracts/campaign';
import { countOpen, MAIL_COUNTERS, mailHours } from '../../records/emails';
import { compare } from '../../rules/ab-test';
import type { Comparison, VariantResult } from '../../rules/ab-test';
import { reachedBy } from './reached';
import { timelineOf, timelineSpan } from '../../records/stats';
import type { Timeline, TimelineQuery } from '../../records/stats';

interface CampaignFilter {
  readonly status?: Campaign['status'] | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  /** All campaigns where it is undefined. */
  readonly archived?: boolean | undefined;
}

/** Lists a project's campaigns that match, newest first. */
export const listCampaigns = ({ projectId }: Context, { status, search, archived }: CampaignFilter, page: PageRequest): Rows<Campaign> =>
  rowsOf(
    CampaignModel,
    newest<Campaign>(
      { projectId, ...(status && { status }), ...(search && { name: containing(search) }), ...archivedFilter(archived) },
      page,
    ),
  );

/** Archives a draft or a campaign that has ended, or unarchives it. Throws `not_found`, `invalid_state`. */
export const setCampaignArchived = archiving(CampaignModel, {
  what: 'Campaign',
  idle: { status: { $nin: ['scheduled', 'sending'] } },
  refusal: 'A scheduled or sending campaign cannot be archived',
});

/** A campaign with what is counted when it is asked for. */
export interface CampaignDetail {
  readonly campaign: Campaign;
  /** Number of contacts that a send would reach now; null once the audience is frozen or the campaign is over. */
  readonly estimatedAudience: number | null;
  readonly figures: CampaignFigures;
  /** The next send time; null if no recipient waits for one. */
  readonly nextAt: Date | null;
  /** The providers that it is held for. */
  readonly heldProviders: readonly HeldProvider[];
}

type Variants = Readonly<Record<Variant, VariantResult>>;

/** Outcomes of a campaign's recipients, and of the variants of its experiment. */
interface CampaignFigures {
  readonly sent: number;
  readonly skipped: number;
  readonly failed: number;
  readonly deferred: number;
  /** Messages by subject; null without an experiment. */
  readonly bySubject: Variants | null;
  readonly comparison: VariantComparison | null;
  /** Messages by version of the content, the first one first; null until the content is corrected. */
  readonly byVersion: readonly VersionFigures[] | null;
}

interface VersionFigures extends VariantResult {
  readonly version: number;
  /** When the version after it replaced it; null for the one that goes out. */
  readonly until: Date | null;
}

interface VariantComparison {
  /** When the experiment was decided, by this sample; null before that. */
  readonly decidedAt: Date | null;
  readonly sample: Variants;
  /** Null until messages of both variants were sent. */
  readonly differences: Comparison | null;
}

const NOTHING = { sent: 0, skipped: 0, failed: 0, deferred: 0, bySubject: null, comparison: null, byVersion: null } as const;

/** Reads how far a campaign is; all is zero before its start. */
async function figuresOf(campaign: Campaign): Promise<CampaignFigures> {
  if (campaign.startedAt === null) return NOTHING;
  const [reached, failed, deferred] = await Promise.all([
    reachedBy(campaign),
    countOpen(campaign._id, 'failed'),
    countOpen(campaign._id, 'queued'),
  ]);
  const variants = variantsOf(campaign);
  return {
    ...reached,
    failed,
    deferred,
    bySubject: variants,
    comparison: variants && comparisonOf(campaign, variants),
    byVersion: byVersionOf(campaign),
  };
}

const NONE: VariantResult = { sent: 0, opened: 0, clicked: 0 };

/** Adds up the results of some contents, each once. */
function sumOf(byContent: Campaign['byContent'], ids: readonly string[]): VariantResult {
  const results = [...new Set(ids)].map((id) => ({ ...NONE, ...byContent?.[id] }));
  const sum = (of: keyof VariantResult): number => results.reduce((total, result) => total + result[of], 0);
  return { sent: sum('sent'), opened: sum('opened'), clicked: sum('clicked') };
}

/** Returns null without an A/B test, and once its content was corrected: the variants are no longer what was compared. */
function variantsOf(campaign: Campaign): Variants | null {
  const { contentIds, byContent } = campaign;
  if (!contentIds || contentIds.b === null || versionOf(campaign) > 1) return null;
  return { a: sumOf(byContent, idsOfSubject(contentIds, 'a')), b: sumOf(byContent, idsOfSubject(contentIds, 'b')) };
}

function byVersionOf({ contentIds, revisions = [], byContent }: Campaign): readonly VersionFigures[] | null {
  if (contentIds === null || revisions.length === 0) return null;
  return [...revisions, { contentIds, until: null }].map((revision, index) => {
    const { contentIds: ids, until } = revision;
    return { version: index + 1, ...sumOf(byContent, [...idsOfSubject(ids, 'a'), ...idsOfSubject(ids, 'b')]), until };
  });
}

/** Compares the variants by the sample alone: the rest gets the winner's subject at another time. Until the decision nothing else is sent. */
function comparisonOf({ abResult }: Campaign, variants: Variants): VariantComparison {
  const sample = abResult ? { a: abResult.a, b: abResult.b } : variants;
  return { decidedAt: abResult?.at ?? null, sample, differences: compare(sample.a, sample.b) };
}

/** Reads a campaign with its details. Throws `not_found`. */
export async function getCampaign(ctx: Context, id: string): Promise<CampaignDetail> {
  const campaign = await readCampaign(ctx, id);
  const waits = campaign.status === 'draft' || campaign.status === 'scheduled';
  const [estimatedAudience, figures, nextAt, heldFor] = await Promise.all([
    waits ? countAudience(ctx.project, campaign, new Date()) : null,
    figuresOf(campaign),
    campaign.timing && campaign.status === 'sending' ? nextSendTimeAfter({ campaignId: id }, new Date()) : null,
    heldProviders(campaign),
  ]);
  return { campaign, estimatedAudience, figures, nextAt, heldProviders: heldFor };
}

/** An audience as a request names it. */
type AskedAudience = Omit<Audience, 'topic'> & { readonly topicId?: string | null };

/** Throws `not_found` for a missing reference of the audience, 422 `invalid_condition`. */
async function requireAudience(ctx: Context, { topicId = null, ...audience }: AskedAudience): Promise<Audience> {
  const faults = await filterFaults(ctx.projectId, audience.filter);
  const [first] = faults;
  if (first && faults.every(({ code }) => code === 'not_found')) throw new AppError('not_found', first.message);
  refuse(faults);
  if (audience.segmentId !== null && !(await segmentExists(ctx.projectId, audience.segmentId))) throw notFound('Segment');
  if (topicId === null) return audience;
  const topic = (await findMailTopics(ctx.projectId, [topicId])).get(topicId);
  if (!topic) throw notFound('Topic');
  return { ...audience, topic };
}

/** Counts the contacts that a send would reach now. Throws what `requireAudience` throws. */
export async function countAudienceOf(ctx: Context, audience: AskedAudience): Promise<number> {
  return countAudience(ctx.project, await requireAudience(ctx, audience), new Date());
}

/** Counts an audience now, with the contacts left out by reason. Throws what `requireAudience` throws. */
export async function breakDownAudienceOf(ctx: Context, audience: AskedAudience): Promise<AudienceBreakdown> {
  return breakDownAudience(ctx.project, await requireAudience(ctx, audience), new Date());
}

/**
 * Lists clicks by link, in an order that clicks do not change, without unclicked links; with `version`, those of messages with that version of the content.
 * Throws `not_found`, and 422 for a version that the campaign does not have.
 */
export async function listLinks(ctx: Context, id: string, version: number | null, request: PageRequest): Promise<Rows<CampaignLinkRow>> {
  const campaign = await readCampaign(ctx, id);
  const { _id: campaignId, projectId } = campaign;
  if (version !== null && version > versionOf(campaign)) throw invalid('version', 'not_found', 'The campaign has no such version');
  const clicked = version === null ? {} : { [`byVersion.${version}`]: { $exists: true } };
  return rowsOf<CampaignLinkRow>(CampaignLinkModel, {
    request,
    sort: { _id: 1 },
    filterAfter: (after) => ({ _id: { ...recipientsOf(campaignId), ...(after && { $gt: after.id }) }, projectId, ...clicked }),
    positionOf: ({ _id }) => positionAt(_id),
  });
}

/**
 * Deletes a campaign that is neither scheduled nor sending; its messages stay. A workflow removes the rest of its data, which can be much.
 * Throws `not_found`, `invalid_state`.
 */
export async function deleteCampaign(ctx: Context, id: string): Promise<void> {
  const { projectId } = ctx;
  await inTransaction(async (session) => {
    const filter = { _id: id, projectId, status: { $in: ['draft', 'sent', 'cancelled'] } } as const;
    const deleted = await CampaignModel.findOneAndDelete(filter, { session, projection: { status: 1 } }).lean<Pick<Campaign, 'status'>>();
    if (!deleted) throw await whyNot(ctx, id);
    if (deleted.status !== 'draft') await wantNow(session, ctx.core, [removalIntent(projectId, id)]);
  });
}

const removalIntent = (projectId: string, campaignId: string): StartIntent => ({
  kind: 'start',
  workflow: 'campaignRemoval',
  workflowId: campaignRemovalId(campaignId),
  input: { campaignId, projectId },
  summary: 'Removes what a deleted campaign leaves',
  attributes: { projectId, campaignId },
  lasts: true,
});

async function whyNot(ctx: Context, id: string): Promise<Error> {
  const { status } = await readCampaign(ctx, id);
  return invalidState(`A campaign cannot be deleted while it is ${status}`);
}

export interface CampaignTimeline extends Timeline<(typeof MAIL_COUNTERS)[number]> {
  readonly campaignId: string;
}

/**
 * Resolves to what happened to the live messages of a campaign by UTC hour or day, from its start on; buckets without anything are included. Throws `not_found`, and 422
 * for more than 400 buckets, or an end that is not after the beginning.
 */
export async function readTimeline(ctx: Context, id: string, query: TimelineQuery): Promise<CampaignTimeline> {
  const { startedAt, createdAt, projectId, audienceSize } = await readCampaign(ctx, id);
  const timeline = await timelineOf({
    id,
    counters: MAIL_COUNTERS,
    span: timelineSpan(startedAt ?? createdAt, query, new Date(), 'first'),
    step: query.step,
    rows: audienceSize,
    count: async () => (startedAt === null ? [] : [await mailHours(projectId, { campaignId: id })]),
  });
  return { campaignId: id, ...timeline };
}
