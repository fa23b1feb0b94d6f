import { answerMissed, cancelCampaign, findCampaign, isSeries, pauseCampaign, resumeCampaign } from '../campaigns';
import type { Campaign, Reached } from '../campaigns';
import { AppError, invalid } from '../../platform/core';
import type { Context } from '../../platform/core';

/** Does something to the last turn of a series after the series itself; null when there is none, or its state does not allow it. */
async function withTurn<T>({ series }: Campaign, act: (childId: string) => Promise<T>): Promise<T | null> {
  const childId = series?.childId ?? null;
  if (childId === null) return null;
  return act(childId).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === 'invalid_state' || error.code === 'not_found')) return null;
    throw error;
  });
}

/** Pauses a campaign; a series together with the turn that is being sent, whose progress is then that of the answer. Throws what `pauseCampaign` throws. */
export async function pauseWithTurn(
  ctx: Context,
  id: string,
  how: Parameters<typeof pauseCampaign>[2],
): Promise<{ campaign: Campaign; reached: Reached }> {
  const paused = await pauseCampaign(ctx, id, how);
  const turn = await withTurn(paused.campaign, (childId) => pauseCampaign(ctx, childId, how));
  return turn ? { ...paused, reached: turn.reached } : paused;
}

/**
 * Resumes a campaign; a series together with its turn. `missed` says what happens to instants that were missed meanwhile. Throws what `resumeCampaign` throws, and
 * 422 for `missed` on a campaign that is no series.
 */
export async function resumeWithTurn(ctx: Context, id: string, missed: 'latest' | 'skip' | null): Promise<Campaign> {
  const before = await findCampaign(ctx.projectId, id);
  if (missed !== null && before && !isSeries(before)) throw invalid('missed', 'invalid_combination', 'Only a recurring campaign has turns');
  const answered = await answerMissed(ctx, id, missed);
  const campaign = answered && !answered.paused ? answered : await resumeCampaign(ctx, id);
  await withTurn(campaign, (childId) => resumeCampaign(ctx, childId));
  return campaign;
}

/** Cancels a campaign; a series together with the turn that is being sent. Throws what `cancelCampaign` throws. */
export async function cancelWithTurn(ctx: Context, id: string): Promise<Campaign> {
  const campaign = await cancelCampaign(ctx, id);
  await withTurn(campaign, (childId) => cancelCampaign(ctx, childId));
  return campaign;
}
