import type { CampaignPageInput, RecipientRange, Variant, CampaignKey } from '../../contracts/campaign';
import { RowReader, findBytes, inTransaction } from '../../platform/mongo';
import type { Rowless } from '../../records/person-limits';
import { recipientIdOf } from './walk';
import { CampaignModel, CampaignRecipientModel } from './model';
import type { Campaign, CampaignRecipient } from './model';
import { withSendTime } from './send-times';
import { addUsage } from '../../records/billing';
import { waitingOfCampaign, withdrawAll } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit } from '../../records/events';

/** Reads a campaign for sending; null when there is none of that id. */
export const findCampaign = (projectId: string, campaignId: string): Promise<Campaign | null> =>
  CampaignModel.findOne({ _id: campaignId, projectId }).lean<Campaign>();

/** Finds which messages never go out, as their recipients were skipped. */
export async function skippedMessages(messages: readonly Rowless[]): Promise<ReadonlySet<string>> {
  const ids = messages.map(({ campaignId, contactId }) => recipientIdOf(campaignId, contactId));
  const rows = await CampaignRecipientModel.find({ _id: { $in: ids }, status: 'skipped' }, { emailId: 1 }).lean<
    Pick<CampaignRecipient, 'emailId'>[]
  >();
  return new Set(rows.map(({ emailId }) => emailId));
}

const rangeOf = (campaignId: string, { from, to }: RecipientRange, after: string | null) => ({
  ...(after === null ? { $gte: `${campaignId}/${from}` } : { $gt: after }),
  // '0' follows '/': the end of the campaign.
  $lt: to === null ? `${campaignId}0` : `${campaignId}/${to}`,
});

/** A recipient as sending a page needs it. */
export type PageRecipient = Pick<CampaignRecipient, '_id' | 'contactId' | 'email' | 'variant' | 'emailId'>;

const recipientReader = new RowReader<PageRecipient>(new Set(['_id', 'contactId', 'email', 'variant', 'emailId']));

/** Reads recipients of a page who were not skipped, in order, after one of them; if one is given, only those with that send time. */
export async function recipientsOfPage(
  campaignId: string,
  range: RecipientRange & Pick<CampaignPageInput, 'turn'>,
  after: string | null,
  limit: number,
): Promise<readonly PageRecipient[]> {
  const filter = { _id: rangeOf(campaignId, range, after), status: 'pending', ...(range.turn && withSendTime(campaignId, range.turn.at)) };
  const rows = await findBytes(CampaignRecipientModel, { filter, sort: { _id: 1 }, limit });
  return rows.map((row) => recipientReader.read(row));
}

/** Assigns the winner's variant to recipients of the page who waited for it. */
export async function assignWinner(campaignId: string, range: RecipientRange, winner: Variant): Promise<void> {
  const filter = { _id: rangeOf(campaignId, range, null), variant: 'hold' } as const;
  await CampaignRecipientModel.collection.updateMany(filter, { $set: { variant: winner } });
}

/** Recipients who are skipped for one reason. */
interface Skipped extends Pick<CampaignRecipient, 'skipDetail' | 'judged'> {
  readonly skipReason: string;
  readonly ids: readonly string[];
}

/** Skips recipients; one that was skipped before keeps its reason. */
export async function skipRecipients(skipped: readonly Skipped[]): Promise<void> {
  const writes = skipped.map(({ skipReason, skipDetail, judged, ids }) => ({
    updateMany: {
      filter: { _id: { $in: [...ids] }, status: 'pending' as const },
      update: { $set: { status: 'skipped' as const, skipReason, ...(skipDetail && { skipDetail }), ...(judged && { judged }) } },
    },
  }));
  if (writes.length > 0) await CampaignRecipientModel.collection.bulkWrite(writes, { ordered: false });
}

const CHUNK = 500;
const REASON = 'The campaign was cancelled';

/**
 * Cancels messages of a cancelled campaign that were deferred and wait for a retry, and gives their credits back. Ends when none is left or
 * at `until` (of `performance.now()`); a repeated call continues. Resolves to the number of cancelled messages.
 */
export async function withdrawWaiting({ campaignId, projectId }: CampaignKey, until: number, at: Date = new Date()): Promise<number> {
  let stopped = 0;
  for (;;) {
    const count = await inTransaction(async (session) => {
      const waiting = await waitingOfCampaign(session, projectId, campaignId, CHUNK);
      if (waiting.length === 0) return 0;
      await withdrawAll(session, waiting, REASON);
      for (const [month, amount] of chargesOf(waiting)) await addUsage(session, projectId, month, 'campaign', amount);
      await emit(
        session,
        waiting.map(({ _id, contactId, testMode }) => ({
          projectId,
          name: 'email.cancelled' as const,
          contactId: contactId ?? null,
          emailId: _id,
          data: { source: 'campaign', reason: 'campaign_cancelled' },
          testMode,
          at,
        })),
      );
      return waiting.length;
    });
    stopped += count;
    if (count < CHUNK || performance.now() > until) return stopped;
  }
}

function chargesOf(emails: readonly Email[]): ReadonlyMap<string, { messages: number; credits: number }> {
  const sums = new Map<string, { messages: number; credits: number }>();
  for (const { charge } of emails) {
    if (!charge) continue;
    const { messages, credits } = sums.get(charge.month) ?? { messages: 0, credits: 0 };
    sums.set(charge.month, { messages: messages - 1, credits: credits - charge.credits });
  }
  return sums;
}
