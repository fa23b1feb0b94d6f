import type { Core } from '../../platform/core';
import { readSeldom } from '../../platform/mongo';
import { markSent, park } from '../../records/emails';
import type { Email } from '../../records/emails';
import { FenceModel } from './model';
import type { Fence } from './model';

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
export interface CampaignTimes {
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
