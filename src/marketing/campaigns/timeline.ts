import type { Context } from '../../platform/core';
import { MAIL_COUNTERS, mailHours } from '../../records/emails';
import { timelineOf, timelineSpan } from '../../records/stats';
import type { Timeline, TimelineQuery } from '../../records/stats';
import { readCampaign } from './drafts';

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
