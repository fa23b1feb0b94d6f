import type { ClientSession } from 'mongoose';
import { isWithin, listenTo, remembered } from '../../records/events';
import { heardAs } from '../../rules/event-patterns';
import type { EnabledSpan, Webhook } from './model';

/** The events that an endpoint hears, and since when. */
export type Hearing = Pick<Webhook, '_id' | 'enabled' | 'events' | 'tag' | 'format' | 'since' | 'earlier'>;

/** Returns by which choice of its owner an endpoint heard what was received at a version of the listeners; undefined when it was off, or not there. */
export function heardBy(
  { enabled, events, tag, since = 0, earlier = [] }: Hearing,
  version: number,
): Pick<EnabledSpan, 'events' | 'tag'> | undefined {
  if (enabled && version >= since) return { events, tag: tag ?? null };
  return earlier.find((span) => isWithin(version, span));
}

/** Lets events of a changed endpoint be delivered to it from the commit on. Resolves to what its row says of that; `before` is null for a new one. */
export async function hear(session: ClientSession, before: Webhook | null, next: Webhook): Promise<Pick<Webhook, 'since' | 'earlier'>> {
  const { _id, projectId, enabled, events } = next;
  if (before && isSameChoice(before, next)) return {};
  const version = await listenTo(session, projectId, `webhook/${_id}`, enabled ? events.map(heardAs) : []);
  if (!before?.enabled) return { since: version };
  const ended = { events: before.events, tag: before.tag ?? null, from: before.since ?? 0, until: version };
  return { since: version, earlier: remembered(before.earlier ?? [], ended) };
}

const isSameChoice = (before: Webhook, next: Webhook): boolean =>
  before.enabled === next.enabled && before.tag === next.tag && String(before.events) === String(next.events);
