import type { z } from 'zod';
import type { EventUsage, Ingested } from '../../src/audience/activity';
import type { Context, Position } from '../../src/platform/core';
import type { Event, EventStats, FeedPage, NameSeen, Triggered } from '../../src/records/events';
import { BEGINNING_OF_FEED } from '../../src/records/events';
import { isSystemName } from '../../src/rules/system-events';
import type { OptInState } from '../contacts/schemas';
import { decodeCursor, encodeCursor } from '../http/cursor';
import type { CursorScope } from '../http/cursor';
import type {
  FeedQuery,
  IngestedEvent,
  Event as WireEvent,
  EventFeed as WireFeed,
  EventName as WireEventName,
  EventStats as WireEventStats,
  EventUsage as WireEventUsage,
  IngestEvent,
} from './schemas';
import { askForEvent } from '../contacts/opt-in';

export const toEvent = ({ _id, ...event }: Event): z.input<typeof WireEvent> => ({ eventId: _id, ...event });

const feedOf = ({ projectId }: Context): CursorScope => ({ projectId, list: 'eventFeed', filters: {} });

/** Reads the position at which a feed continues, or begins. Throws 422 `invalid_cursor`. */
export function feedPosition(ctx: Context, { after, from }: z.output<typeof FeedQuery>): Position {
  if (after !== undefined) return decodeCursor(ctx.core.secrets, feedOf(ctx), after, 'after');
  return from ? { ...BEGINNING_OF_FEED, at: from } : BEGINNING_OF_FEED;
}

export const toFeed = (ctx: Context, { rows, next }: FeedPage): z.input<typeof WireFeed> => ({
  data: rows.map(toEvent),
  next: encodeCursor(ctx.core.secrets, feedOf(ctx), next),
});

const matched = ({ _id, name, trigger }: Triggered) => ({ workflowId: _id, name, trigger });

/** Sorts the automations that an event triggers into those that are active and those that are not, with the reason. */
export const toIngested = ({ eventId, contactId, triggers, before, replay }: Ingested): z.input<typeof IngestedEvent> => ({
  eventId,
  contactId,
  triggered: triggers.filter(({ status }) => status === 'active').map((each) => ({ ...matched(each), status: 'dispatched' as const })),
  skipped: triggers.flatMap((each) => (each.status === 'active' ? [] : [{ ...matched(each), reason: `workflow_${each.status}` as const }])),
  ...(before !== undefined && { optIn: before as z.input<typeof OptInState> }),
  ...(replay && { replay }),
});

export const toEventName = (seen: NameSeen): z.input<typeof WireEventName> => ({ ...seen, system: isSystemName(seen.name) });

export const toStats = (stats: EventStats): z.input<typeof WireEventStats> => stats;

export const toUsage = (name: string, { count, automations, segments }: EventUsage): z.input<typeof WireEventUsage> => ({
  name,
  count,
  workflows: automations.map((each) => ({ workflowId: each._id, name: each.name })),
  segments: segments.map((each) => ({ segmentId: each._id, name: each.name })),
});

/** Returns what asks the person of an event to confirm, where it is sent with `optIn`. */
export const confirmationOf = (ctx: Context, { optIn, email, topics = [], consent }: z.output<typeof IngestEvent>) =>
  optIn === undefined || email === undefined ? undefined : () => askForEvent(ctx, { email, topics, consent });
