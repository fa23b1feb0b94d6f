import type { Context, PageRequest, Rows } from '../../platform/core';
import { AppError, invalidState, notFound, placeAt } from '../../platform/core';
import { campaignRemovalId } from '../../contracts/campaign';
import type { StartIntent } from '../../contracts/processes';
import { inTransaction, newest, rowsOf } from '../../platform/mongo';
import { startNow, want } from '../../platform/outbox';
import { segmentExists } from '../../audience/segments';
import { countAudience } from './audience';
import { breakDownAudience } from './breakdown';
import type { AudienceBreakdown } from './breakdown';
import type { Audience } from './audience';
import { readCampaign } from './drafts';
import { figuresOf } from './figures';
import type { CampaignFigures } from './figures';
import { CampaignLinkModel } from './link-model';
import type { CampaignLinkRow } from './link-model';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { filterFaults, refuse } from './refusals';
import { recipientsOf } from './walk';

export type { CampaignLinkRow } from './link-model';
export type { Campaign } from './model';

/** Lists a project's campaigns, newest first. */
export const listCampaigns = ({ projectId }: Context, page: PageRequest): Rows<Campaign> =>
  rowsOf(CampaignModel, newest<Campaign>({ projectId }, page));

/** A campaign with what is counted when it is asked for. */
export interface CampaignDetail {
  readonly campaign: Campaign;
  /** How many contacts a send would reach now; null once the audience is frozen or the campaign is over. */
  readonly estimatedAudience: number | null;
  readonly figures: CampaignFigures;
}

/** Reads a campaign with its details. Throws `not_found`. */
export async function getCampaign(ctx: Context, id: string): Promise<CampaignDetail> {
  const campaign = await readCampaign(ctx, id);
  const waits = campaign.status === 'draft' || campaign.status === 'scheduled';
  const [estimatedAudience, figures] = await Promise.all([
    waits ? countAudience(ctx.project, campaign, new Date()) : null,
    figuresOf(campaign),
  ]);
  return { campaign, estimatedAudience, figures };
}

/** Throws `not_found` for a missing reference of the audience, 422 `invalid_condition`. */
async function requireAudience(ctx: Context, audience: Audience): Promise<void> {
  const faults = await filterFaults(ctx.projectId, audience.filter);
  const [first] = faults;
  if (first && faults.every(({ code }) => code === 'not_found')) throw new AppError('not_found', first.message);
  refuse(faults);
  if (audience.segmentId !== null && !(await segmentExists(ctx.projectId, audience.segmentId))) throw notFound('Segment');
}

/** Counts the contacts that a send would reach now. Throws what `requireAudience` throws. */
export async function countAudienceOf(ctx: Context, audience: Audience): Promise<number> {
  await requireAudience(ctx, audience);
  return countAudience(ctx.project, audience, new Date());
}

/** Counts an audience now, with the contacts left out by reason. Throws what `requireAudience` throws. */
export async function breakDownAudienceOf(ctx: Context, audience: Audience): Promise<AudienceBreakdown> {
  await requireAudience(ctx, audience);
  return breakDownAudience(ctx.project, audience, new Date());
}

/** Lists clicks by link, in an order that clicks do not change, without unclicked links. Throws `not_found`. */
export async function listLinks(ctx: Context, id: string, request: PageRequest): Promise<Rows<CampaignLinkRow>> {
  const { _id: campaignId, projectId } = await readCampaign(ctx, id);
  return rowsOf<CampaignLinkRow>(CampaignLinkModel, {
    request,
    sort: { _id: 1 },
    filterAfter: (after) => ({ _id: { ...recipientsOf(campaignId), ...(after && { $gt: after.id }) }, projectId }),
    placeOf: ({ _id }) => placeAt(_id),
  });
}

/**
 * Deletes a campaign that is neither scheduled nor sending; its messages stay. A workflow removes the rest of its data, which can be much.
 * Throws `not_found`, `invalid_state`.
 */
export async function deleteCampaign(ctx: Context, id: string): Promise<void> {
  const { projectId } = ctx;
  const intents = await inTransaction(async (session) => {
    const filter = { _id: id, projectId, status: { $in: ['draft', 'sent', 'cancelled'] } } as const;
    const deleted = await CampaignModel.findOneAndDelete(filter, { session, projection: { status: 1 } }).lean<Pick<Campaign, 'status'>>();
    if (!deleted) throw await whyNot(ctx, id);
    const wanted = deleted.status === 'draft' ? [] : [removalIntent(projectId, id)];
    await want(session, wanted);
    return wanted;
  });
  startNow(ctx.core, intents);
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
