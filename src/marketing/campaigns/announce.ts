import type { ClientSession } from 'mongoose';
import { timedId } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { emit } from '../../records/events';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { reachedBy } from './reached';
import type { CampaignReach } from './reached';

/** A change of what a campaign does that is an event. */
interface Change {
  readonly what: 'started' | 'held' | 'sent' | 'cancelled';
  readonly at: Date;
  /** Why it is on hold. */
  readonly reason?: string;
}

const UNSENT: CampaignReach = { sent: 0, skipped: 0 };

/**
 * Emits that a campaign, which is given as it is after the change, has started, is on hold, was sent or was cancelled: in the transaction of that change, so that each
 * has one event. Its id is derived from the campaign and the change; a campaign can be on hold more than once.
 */
export async function announce(session: ClientSession, campaign: Campaign, { what, at, reason }: Change, reach = UNSENT): Promise<void> {
  const { _id: campaignId, projectId, name, status, phase, audienceSize, endedAt, holds = 0, turn, testMode } = campaign;
  const isCounted = (phase === 'frozen' || endedAt !== undefined) && campaign.series === undefined;
  await emit(session, [
    {
      id: timedId('evt', at.getTime(), `${campaignId}/${what}${what === 'held' ? `/${holds}` : ''}`),
      projectId,
      name: `email.campaign_${what}`,
      contactId: null,
      data: {
        campaignId,
        name,
        status,
        audience: isCounted ? audienceSize : null,
        ...reach,
        ...(reason !== undefined && { reason }),
        ...(turn && { seriesId: turn.seriesId }),
      },
      testMode,
      at,
    },
  ]);
}

/** Emits that a campaign is sending from now on; does nothing for one that waits for its time. */
export const announceStart = (session: ClientSession, campaign: Campaign): Promise<void> =>
  campaign.status === 'sending' && campaign.startedAt !== null
    ? announce(session, campaign, { what: 'started', at: campaign.startedAt })
    : Promise.resolve();

/** Emits that a sending campaign, of which another hold was counted, waits, and for what. */
export const announceHold = (session: ClientSession, campaign: Campaign, hold: Omit<Change, 'what'>, reach: CampaignReach): Promise<void> =>
  announce(session, campaign, { what: 'held', ...hold }, reach);

/** Stores the reason why a sending campaign waits, or, with null, that it continues. */
export async function setHeldReason(campaignId: string, heldReason: string | null): Promise<void> {
  const differs = { _id: campaignId, status: 'sending', heldReason: { $ne: heldReason } } as const;
  if (heldReason === null) return void (await CampaignModel.updateOne(differs, { $set: { heldReason } }));
  // Most calls find it on hold already.
  const before = await CampaignModel.findOne(differs).lean<Campaign>();
  if (!before) return;
  const reach = await reachedBy(before);
  const at = new Date();
  await inTransaction(async (session) => {
    const update = { $set: { heldReason }, $inc: { holds: 1 } };
    const campaign = await CampaignModel.findOneAndUpdate(differs, update, { session, returnDocument: 'after' }).lean<Campaign>();
    if (campaign) await announceHold(session, campaign, { at, reason: heldReason }, reach);
  });
}
