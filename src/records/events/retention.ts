import { removePage } from '../../platform/mongo';
import { EventModel, RECEIPT_INDEX } from './model';
import { talliedUpTo } from './tally';

/** Matches events before an instant, except those that are not counted by name yet. */
async function receivedBefore(before: Date): Promise<{ readonly $lt: Date }> {
  const counted = await talliedUpTo();
  return { $lt: counted < before ? counted : before };
}

/** Deletes a page of events that came before an instant; what is still to be delivered stays. What was counted of them stays counted. */
export const removeOldEvents = async (before: Date, limit: number): Promise<number> =>
  removePage(EventModel, { receivedAt: await receivedBefore(before), fanOut: { $exists: false } }, limit, RECEIPT_INDEX);
