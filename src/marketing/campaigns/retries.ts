import { shardOf } from '../../contracts/delivery';
import type { CampaignKey } from '../../contracts/campaign';
import type { Core } from '../../platform/core';
import { wakeDelivery } from '../../platform/wake-ups';
import { holdRetries, releaseRetries } from '../../records/emails';
import type { StoppedCampaigns } from '../../sending/deliver';
import { CampaignModel } from './model';
import type { Campaign, CampaignPause } from './model';

/** A retry that is held is checked again after this long: its campaign may have been resumed without releasing it, by a crash or a restore. */
const CHECK_AGAIN_MS = 15 * 60_000;
/** The most by which the clocks of two machines differ. */
const CLOCKS_MS = 60_000;

const nextCheckAt = ({ until }: CampaignPause, now: Date): Date =>
  new Date(Math.min(now.getTime() + CHECK_AGAIN_MS, Math.max(now.getTime() + CLOCKS_MS, until?.getTime() ?? Number.MAX_SAFE_INTEGER)));

/** Finds which of the campaigns were cancelled, or are paused with their retries. */
export async function stoppedCampaigns(ids: readonly string[], now: Date): Promise<StoppedCampaigns> {
  if (ids.length === 0) return { cancelled: new Set(), held: new Map() };
  const stopped = { _id: { $in: [...ids] }, $or: [{ status: 'cancelled' as const }, { 'paused.retries': 'hold' as const }] };
  const rows = await CampaignModel.find(stopped, { status: 1, paused: 1 }).lean<Pick<Campaign, '_id' | 'status' | 'paused'>[]>();
  return {
    cancelled: new Set(rows.flatMap(({ _id, status }) => (status === 'cancelled' ? [_id] : []))),
    held: new Map(
      rows.flatMap(({ _id, status, paused }) => (status !== 'cancelled' && paused ? [[_id, nextCheckAt(paused, now)] as const] : [])),
    ),
  };
}

/**
 * Holds or releases the retries of a campaign as its pause says, after it is stored: once this has resolved, none begins that is held. What is due later is held
 * when it is found.
 */
export async function settleRetries(
  core: Pick<Core, 'processes' | 'log'>,
  { campaignId, projectId }: CampaignKey,
  before: CampaignPause | undefined,
  after: CampaignPause | undefined,
): Promise<void> {
  const now = new Date();
  const key = { campaignId, projectId };
  if (after?.retries === 'hold') return holdRetries(key, new Date(now.getTime() + CLOCKS_MS), nextCheckAt(after, now));
  if (before?.retries === 'hold' && (await releaseRetries(key, now))) wakeDelivery(core, shardOf(projectId));
}
