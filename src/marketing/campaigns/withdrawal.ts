import { addUsage } from '../../records/billing';
import type { CampaignKey } from '../../contracts/campaign';
import type { Email } from '../../records/emails';
import { waitingOfCampaign, withdrawAll } from '../../records/emails';
import { emit } from '../../records/events';
import { inTransaction } from '../../platform/mongo';

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
