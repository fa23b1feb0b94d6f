import { inLanes } from '../../platform/async';
import { newestMessageAt } from '../../records/emails';
import { CampaignModel } from './model';
import type { Campaign } from './model';
import { nextSendTimeAfter } from './send-times';

/** More campaigns are rarely sending at once; those that began last are not checked. */
const MOST = 200;
const AT_ONCE = 10;

type Sending = Pick<Campaign, '_id' | 'projectId' | 'startedAt' | 'timing'>;

/** A slower campaign can spend ten minutes on recipients that it skips. */
const LEAST_A_MINUTE = 10;

/** Watches the campaigns that are sending although nothing holds them: no pause, hold, send time, decision or step. */
export class IdleCampaigns {
  /** Since when nothing holds them, as seen here: a campaign that resumes after days has not been idle for days. */
  private seen = new Map<string, number>();

  /** Forgets what was seen, when another process watches. */
  forget(): void {
    this.seen.clear();
  }

  /** Resolves to since when the one that moved first has sent nothing; null where nothing is sending. */
  async since(now: number, maxTimeMS: number): Promise<Date | null> {
    const free = await sendingFreely(now, maxTimeMS);
    this.seen = new Map(free.map(({ _id }) => [_id, this.seen.get(_id) ?? now]));
    const moved: number[] = [];
    await inLanes(free, { atOnce: AT_ONCE }, async ({ _id, projectId }) => {
      const sentAt = await newestMessageAt(projectId, _id, maxTimeMS);
      moved.push(Math.max(this.seen.get(_id) ?? now, sentAt?.getTime() ?? 0));
    });
    return moved.length === 0 ? null : new Date(Math.min(...moved));
  }
}

async function sendingFreely(now: number, maxTimeMS: number): Promise<readonly Sending[]> {
  const isAhead = { $gt: new Date(now) };
  const rows = await CampaignModel.find(
    {
      status: 'sending',
      phase: 'frozen',
      startedAt: { $gt: new Date(0) },
      heldReason: null,
      paused: { $exists: false },
      series: { $exists: false },
      $nor: [{ abDecideAt: isAhead }, { 'rollout.nextAt': isAhead }, { throttlePerMinute: { $lt: LEAST_A_MINUTE } }],
    },
    { projectId: 1, startedAt: 1, timing: 1 },
  )
    .sort({ startedAt: 1, _id: 1 })
    .limit(MOST)
    .maxTimeMS(maxTimeMS)
    .lean<Sending[]>();
  const free: Sending[] = [];
  await inLanes(rows, { atOnce: AT_ONCE }, async (row) => {
    if (!row.timing || (await nextSendTimeAfter({ campaignId: row._id }, new Date(now))) === null) free.push(row);
  });
  return free;
}
