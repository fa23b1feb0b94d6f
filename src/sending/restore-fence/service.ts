import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { decideChunk, dueBehind, heldByProject, onTheWireSince, park } from '../../records/emails';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { databaseNow } from '../../platform/mongo';
import { forgetFence, isCampaignBehind } from './current';
import { FenceModel } from './model';
import type { Decision, Fence } from './model';
import type { CampaignTimes } from './current';

/** Lists the unfinished campaigns that are meant, with how many wait in each. */
export const campaignsBehind = hook<(isMeant: (campaign: CampaignTimes) => boolean) => Promise<readonly object[]>>(
  'which campaigns are behind the fence',
);

/** Says how far a command is, after each chunk. */
type Report = (messages: number) => void;

/**
 * Raises the fence at the instant of the backup that was restored, and holds what is due behind it. Workers hold what they come upon, so that the command may be
 * killed anywhere, and given again. Throws for an instant that has not been.
 */
export async function raiseFence(instant: Date, report: Report): Promise<object> {
  const raisedAt = await databaseNow();
  if (instant > raisedAt) throw new AppError('validation_error', 'The instant of a backup is not in the future');
  const fence: Fence = { _id: 'fence', instant, raisedAt, decision: null, decidedAt: null, released: 0, marked: 0 };
  const earlier = await FenceModel.findById('fence').lean<Fence>();
  // Repeating the same command continues with the same fence.
  const raised = earlier?.decision === null && earlier.instant.getTime() === instant.getTime() ? earlier : fence;
  await FenceModel.replaceOne({ _id: 'fence' }, raised, { upsert: true });
  forgetFence();
  let messages = 0;
  for (let shard = 0; shard < DELIVERY_SHARDS; shard++) {
    for (let rows = await dueBehind(shard, raised.instant, raised.raisedAt); rows.length > 0;) {
      await park(rows);
      report((messages += rows.length));
      rows = await dueBehind(shard, raised.instant, raised.raisedAt);
    }
  }
  return fenceStatus();
}

/**
 * Lets what is held go, or takes it as sent, chunk by chunk; killed anywhere, it is given again. Campaigns follow by their pages, within seconds. Throws when no
 * fence is raised.
 */
export async function decideFence(decision: Decision, report: Report): Promise<object> {
  const decidedAt = await databaseNow();
  const fence = await FenceModel.findOneAndUpdate({ _id: 'fence' }, { $set: { decision, decidedAt } }).lean<Fence>();
  if (!fence) throw new AppError('not_found', 'No restore fence is set');
  forgetFence();
  const sentAt = decision === 'mark-sent' ? fence.instant : null;
  let messages = 0;
  for (let count = await decideChunk(sentAt); count !== null; count = await decideChunk(sentAt)) {
    await FenceModel.updateOne({ _id: 'fence' }, { $inc: { [sentAt ? 'marked' : 'released']: count } });
    report((messages += count));
  }
  return fenceStatus();
}

/** Resolves to what is held, and to the outcome of the rest. */
export async function fenceStatus(): Promise<object> {
  const fence = await FenceModel.findById('fence').lean<Fence>();
  if (!fence) return { raised: false };
  const { instant, raisedAt, decision, decidedAt, released, marked } = fence;
  const campaigns = decision === 'release' ? [] : await campaignsBehind.only((campaign) => isCampaignBehind(fence, campaign));
  return {
    raised: true,
    instant,
    raisedAt,
    decision,
    decidedAt,
    released,
    marked,
    held: await heldByProject(),
    onTheWire: await onTheWireSince(instant),
    campaigns,
  };
}
