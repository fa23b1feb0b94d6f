import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { AppError } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { compareSoon } from '../segments';
import { forgetEvents, isTrigger } from '../../records/events';

/** Few enough for a short transaction. */
const CHUNK = 2_000;

/**
 * Deletes what was received of one of the caller's names until now; events that wait for the fan-out are dropped. Segments that ask about it are compared
 * again soon. Resolves to how many.
 * Throws `in_use` while an automation, in any state, has it as its trigger. Killed in the middle, the rest is there and can be deleted.
 */
export async function removeEvents(ctx: Context, name: string): Promise<number> {
  if (await isTrigger(ctx.projectId, name)) throw new AppError('in_use', 'A workflow has this event as its trigger');
  const until = await databaseNow();
  let removed = 0;
  for (let chunk = CHUNK; chunk === CHUNK; removed += chunk) {
    chunk = await inTransaction((session) => removeChunk(session, ctx.projectId, name, until));
  }
  return removed;
}

async function removeChunk(session: ClientSession, projectId: string, name: string, until: Date): Promise<number> {
  const removed = await forgetEvents(session, { projectId, name, until }, CHUNK);
  if (removed > 0) await compareSoon(session, projectId, name);
  return removed;
}
