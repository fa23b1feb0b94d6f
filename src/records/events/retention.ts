import { removePage } from '../../platform/mongo';
import { EventModel, FEED_INDEX } from './model';
import { talliedUpTo } from './tally';

/** Matches events before an instant, except those that are not counted by name yet. */
async function receivedBefore(before: Date): Promise<{ readonly $lt: Date }> {
  const counted = await talliedUpTo();
  return { $lt: counted < before ? counted : before };
}

/** Deletes a page of a project's events that came before an instant; what is still to be delivered stays. What was counted of them stays counted. */
export const removeOldEvents = async (projectId: string, before: Date, limit: number): Promise<number> =>
  removePage(EventModel, { projectId, receivedAt: await receivedBefore(before), fanOut: { $exists: false } }, limit, FEED_INDEX);
