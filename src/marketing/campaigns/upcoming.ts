import type { Context, PageRequest, Position } from '../../platform/core';
import { soonest } from '../../platform/mongo';
import { recipientIdOf } from './walk';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { nextSendTimeAfter } from './send-times';

// A turn of a series, or the next step of a rollout, does not begin while the campaign is paused.
const notPausedAt = (instant: '$series.nextAt' | '$rollout.nextAt') => ({
  $or: [{ paused: { $exists: false } }, { $expr: { $lt: [{ $ifNull: ['$paused.until', instant] }, instant] } }],
});

/** The instants that lie ahead of campaigns, by what happens then. */
const INSTANTS = {
  campaign: { by: 'scheduledFor', of: { status: 'scheduled' } },
  campaign_turn: { by: 'series.nextAt', of: { status: 'sending', ...notPausedAt('$series.nextAt') } },
  rollout_step: { by: 'rollout.nextAt', of: { status: 'sending', ...notPausedAt('$rollout.nextAt') } },
  ab_decision: { by: 'abDecideAt', of: { status: { $in: ['scheduled', 'sending', 'sent'] }, abWinner: null } },
  pause_end: { by: 'paused.until', of: { status: 'sending' } },
} as const;

export type CampaignInstant = keyof typeof INSTANTS;

/** Lists what lies ahead of one kind, the soonest first; the ids are those of the campaigns. */
export async function campaignInstants(
  { projectId }: Pick<Context, 'projectId'>,
  kind: CampaignInstant,
  campaignId: string | undefined,
  request: PageRequest,
  now: Date,
): Promise<readonly Position[]> {
  const { by, of } = INSTANTS[kind];
  const filter = { projectId, ...of, ...(campaignId !== undefined && { _id: campaignId }) };
  return (await soonest<Campaign>(CampaignModel, filter, { by }, request, now, { _id: 1 })).map(({ position }) => position);
}

/**
 * Finds when the next recipients of each campaign that is being sent by send times get their message; with a contact, when that contact does. In no order. It asks
 * for each such campaign, of which a project has few.
 */
export async function recipientInstants(
  { projectId }: Pick<Context, 'projectId'>,
  { campaignId, contactId }: { readonly campaignId?: string | undefined; readonly contactId?: string | undefined },
  now: Date,
): Promise<readonly Position[]> {
  const withSendTimes = { projectId, status: 'sending' as const, timing: { $exists: true }, series: { $exists: false } };
  const filter = { ...withSendTimes, ...(campaignId !== undefined && { _id: campaignId }) };
  const campaigns = await CampaignModel.find(filter, { paused: 1 }).lean<Pick<Campaign, '_id' | 'paused'>[]>();
  const found: Position[] = [];
  for (const { _id, paused } of campaigns) {
    if (paused?.until === null) continue;
    const from = paused && paused.until > now ? paused.until : now;
    const at = contactId === undefined ? await nextSendTimeAfter({ campaignId: _id }, from) : await sendTimeOfContact(_id, contactId, from);
    if (at) found.push({ at, id: _id });
  }
  return found;
}

async function sendTimeOfContact(campaignId: string, contactId: string, after: Date): Promise<Date | null> {
  const filter = { _id: recipientIdOf(campaignId, contactId), status: 'pending' as const, turnAt: { $gt: after } };
  const row = await CampaignRecipientModel.findOne(filter, { turnAt: 1 }).lean<Pick<CampaignRecipient, 'turnAt'>>();
  return row?.turnAt ?? null;
}
