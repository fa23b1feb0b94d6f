import { newestMessageAt } from '../../records/emails';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { nextSendTimeAfter } from './send-times';

/** More campaigns are rarely sending at once; those that began last are not checked. */
const MOST = 200;

type Sending = Pick<Campaign, '_id' | 'projectId' | 'startedAt' | 'timing'>;

/** Watches the campaigns that are sending although nothing holds them: no pause, hold, send time, decision or step. */
export class IdleCampaigns {
  /** Since when nothing holds them, as seen here: a campaign that resumes after days has not been idle for days. */
  private seen = new Map<string, number>();

  /** Resolves to since when the one that moved first has sent nothing; null where nothing is sending. */
  async since(now: number, maxTimeMS: number): Promise<Date | null> {
    const free = await sendingFreely(now, maxTimeMS);
    this.seen = new Map(free.map(({ _id }) => [_id, this.seen.get(_id) ?? now]));
    const moved = await Promise.all(
      free.map(async ({ _id, projectId }) => {
        const sentAt = await newestMessageAt(projectId, _id, maxTimeMS);
        return Math.max(this.seen.get(_id) ?? now, sentAt?.getTime() ?? 0);
      }),
    );
    return moved.length === 0 ? null : new Date(Math.min(...moved));
  }
}

async function sendingFreely(now: number, maxTimeMS: number): Promise<readonly Sending[]> {
  const isAhead = { $gt: new Date(now) };
  const rows = await CampaignModel.find(
    {
      ...{ status: 'sending', startedAt: { $gt: new Date(0) }, heldReason: null },
      ...{ paused: { $exists: false }, series: { $exists: false } },
      $nor: [{ abDecideAt: isAhead }, { 'rollout.nextAt': isAhead }],
    },
    { projectId: 1, startedAt: 1, timing: 1 },
  )
    .sort({ startedAt: 1 })
    .limit(MOST)
    .maxTimeMS(maxTimeMS)
    .lean<Sending[]>();
  const waits = await Promise.all(
    rows.map(async ({ _id, timing }) => timing && (await nextSendTimeAfter({ campaignId: _id }, new Date(now))) !== null),
  );
  return rows.filter((_row, index) => waits[index] !== true);
}
