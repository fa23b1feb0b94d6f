import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { decideChunk, dueBehind, heldByProject, onTheWireSince, park, markSent } from '../../records/emails';
import type { Email } from '../../records/emails';
import { AppError } from '../../platform/core';
import type { Core } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { databaseNow, readSeldom } from '../../platform/mongo';
import { FenceModel } from './model';
import type { Decision, Fence } from './model';

/** Every process knows of a fence, or of its decision, within this time. */
const KNOWN_MS = 2_000;

const fence = readSeldom(KNOWN_MS, async () => {
  const row = await FenceModel.findById('fence').lean<Fence>();
  return row?.decision === 'release' ? null : row;
});

/** The fence that holds or marks; null where there is none, or all is let go. Read every two seconds at most. */
export const currentFence = fence.current;

/** Forgets what was read. */
export const forgetFence = fence.forget;

/** Returns whether a message that is due may have gone out in the time that was lost: it was accepted before, and was due by the time that the fence was raised. */
const isBehind = ({ instant, raisedAt }: Fence, { createdAt, dueAt }: Pick<Email, 'createdAt' | 'dueAt'>): boolean =>
  createdAt <= instant && dueAt !== undefined && dueAt <= raisedAt;

/** When a campaign was made, began and was to begin. */
interface CampaignTimes {
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly scheduledFor: Date | null;
}

/** Returns whether a campaign may have sent in the time that was lost: it was sending then, or was to begin. */
export const isCampaignBehind = ({ instant, raisedAt }: Fence, { createdAt, startedAt, scheduledFor }: CampaignTimes): boolean =>
  createdAt <= instant && ((startedAt !== null && startedAt <= instant) || (scheduledFor !== null && scheduledFor <= raisedAt));

/** Holds the due messages that are behind the fence, or takes them as sent where that is decided; resolves to the others. */
export async function beyondFence(core: Pick<Core, 'log'>, due: readonly Email[]): Promise<readonly Email[]> {
  if (due.length === 0) return due;
  const raised = await currentFence();
  if (!raised) return due;
  const behind = due.filter((email) => isBehind(raised, email));
  if (behind.length === 0) return due;
  const ids = behind.map(({ _id }) => _id);
  if (raised.decision === null) await park(behind);
  else await FenceModel.updateOne({ _id: 'fence' }, { $inc: { marked: await markSent(behind, raised.instant) } });
  core.log.warn({ messages: ids.length, decision: raised.decision }, 'The restore fence holds messages');
  const isHeld = new Set(ids);
  return due.filter(({ _id }) => !isHeld.has(_id));
}

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
