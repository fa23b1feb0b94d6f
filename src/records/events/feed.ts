import type { Position } from '../../platform/core';
import { page } from '../../platform/mongo';
import { historyReceived } from '../emails';
import { EventModel, FEED_INDEX } from './model';
import type { Event } from './model';
import { visibleUpTo } from './visible';

/** A page of the feed, and the position at which it continues. */
export interface FeedPage {
  readonly rows: readonly Event[];
  readonly next: Position;
}

/** The position before every event; with another instant, before every event received since then. */
export const BEGINNING_OF_FEED: Position = { at: new Date(0), id: '0' };

const positionOf = ({ _id, receivedAt }: Event): Position => ({ at: receivedAt, id: _id });

const compare = (a: Position, b: Position): number => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/**
 * Resolves to a project's next events after a position, in the order of their receipt: those with rows of their own, and those that rows of messages hold. Ends where a
 * transaction under way may still add an event, so that no event appears before a position that was handed out. Rows of messages are read no further than the page
 * reaches: each that holds nothing has an event of its own.
 */
export async function eventFeed(projectId: string, from: Position, limit: number): Promise<FeedPage> {
  const upTo = await visibleUpTo();
  const filter = { projectId, receivedAt: { $lte: upTo } };
  const alone = await page<Event>(EventModel, filter, { limit, after: from }, { by: 'receivedAt', direction: 1 }, {}, FEED_INDEX);
  const last = alone.next?.at ?? upTo;
  const inRows = (await historyReceived(projectId, from, last, limit)).filter(
    (event) => event.receivedAt <= last && compare(positionOf(event), from) > 0,
  );
  const rows = [...alone.rows, ...inRows].sort((a, b) => compare(positionOf(a), positionOf(b))).slice(0, limit);
  const end = rows.at(-1);
  return { rows, next: end ? positionOf(end) : from };
}
