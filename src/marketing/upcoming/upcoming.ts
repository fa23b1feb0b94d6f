import type { Context, PageRequest, Position } from '../../platform/core';
import type { Page } from '../../platform/mongo';
import { SOURCES } from './sources';
import type { Source, Upcoming, UpcomingFilter, UpcomingKind } from './sources';

/** Sorts after all ids, as the database orders texts. */
const LAST_ID = '\uFFFF';

/**
 * Lists what will happen next, the soonest first; at the same instant by kind, then by id. Each source gives the first rows after the page, so what comes first
 * in all of them comes first of all. An entry that has happened when the next page is asked for is on none.
 */
export async function listUpcoming(
  ctx: Context,
  filter: UpcomingFilter,
  { limit, after }: PageRequest,
  now: Date = new Date(),
): Promise<Page<Upcoming>> {
  const found: Upcoming[] = [];
  // One after another: each is a query or two along an index, and one request should not take many of the pool's connections.
  for (const source of SOURCES.filter((each) => knowsAll(each, filter))) {
    const place = after && positionIn(source.kind, after);
    found.push(...(await source.read(ctx, filter, { limit: limit + 1, after: place }, now)));
  }
  const entries = found
    .filter((entry) => after === null || order(positionOf(entry), after) > 0)
    .sort((a, b) => order(positionOf(a), positionOf(b)));
  const rows = entries.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: entries.length > limit && last ? positionOf(last) : null };
}

const knowsAll = ({ knows }: Source, filter: UpcomingFilter): boolean =>
  (['contactId', 'campaignId', 'workflowId'] as const).every((name) => filter[name] === undefined || knows.includes(name));

const prefixOf = (kind: UpcomingKind): string => `${kind}/`;

const positionOf = ({ at, kind, id }: Upcoming): Position => ({ at, id: prefixOf(kind) + id });

const order = (a: Position, b: Position): number => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));

/** Returns where a kind continues after a position in the list: at its instant, all of the kind may be before it, or none. */
function positionIn(kind: UpcomingKind, { at, id }: Position): Position {
  const prefix = prefixOf(kind);
  if (id.startsWith(prefix)) return { at, id: id.slice(prefix.length) };
  return { at, id: prefix < id ? LAST_ID : '' };
}
