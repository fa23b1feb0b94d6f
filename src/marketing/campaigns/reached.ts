import { countTried, countCampaignMessages, newestMessageAt } from '../../records/emails';
import { CampaignRecipientModel, CampaignModel } from './model';
import type { Campaign } from './model';
import { messagesBegun } from './page-claims';
import { recipientsOf } from './walk';
import { atOneInstant } from '../../audience/contacts';
import { inLanes } from '../../platform/async';
import { nextSendTimeAfter } from './send-times';

/** Recipients of a campaign that were sent to, and that were skipped. */
export interface CampaignReach {
  readonly sent: number;
  readonly skipped: number;
}

/** Reads or counts sent and skipped recipients. Once a campaign is over they are in its row, as its messages are deleted with age. */
export async function reachedBy(campaign: Campaign): Promise<CampaignReach> {
  const { _id: campaignId, projectId, status, phase, audienceSize } = campaign;
  if (phase === null) return { sent: campaign.sentCount, skipped: campaign.skippedCount };
  // Counting rows takes time for each row, and a client that follows a campaign polls often.
  const sent = (status === 'sending' ? await messagesBegun(campaignId) : null) ?? (await countTried(projectId, campaignId));
  // Its rows are not marked as skipped yet.
  if (status === 'cancelled') return { sent, skipped: Math.max(0, audienceSize - sent) };
  return { sent, skipped: await CampaignRecipientModel.countDocuments({ _id: recipientsOf(campaignId), campaignId, status: 'skipped' }) };
}

interface CampaignBehind {
  readonly campaignId: string;
  readonly projectId: string;
  readonly status: Campaign['status'];
  /** Recipients of a frozen audience who have no message and were not left out. */
  readonly waiting: number;
}

/** Finds the unfinished campaigns that `isMeant` selects, with how many recipients wait in each. */
export async function campaignsBehind(isMeant: (campaign: Campaign) => boolean): Promise<readonly CampaignBehind[]> {
  const found = await CampaignModel.find({ status: { $in: ['scheduled', 'sending'] } }, { body: 0, bodyBlocks: 0 }).lean<Campaign[]>();
  const behind: CampaignBehind[] = [];
  for (const { _id, projectId, status } of found.filter(isMeant)) {
    behind.push({ campaignId: _id, projectId, status, waiting: await waitingIn(_id, projectId) });
  }
  return behind;
}

const waitingIn = (campaignId: string, projectId: string): Promise<number> =>
  atOneInstant(async (session) => {
    const options = { session, readConcern: { level: 'snapshot' } } as const;
    const { tried } = await countCampaignMessages(session, projectId, campaignId);
    const total = await CampaignRecipientModel.collection.countDocuments({ _id: recipientsOf(campaignId) }, options);
    const filter = { _id: recipientsOf(campaignId), campaignId, status: 'skipped' } as const;
    const skipped = await CampaignRecipientModel.collection.countDocuments(filter, options);
    return Math.max(0, total - skipped - tried);
  });

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
