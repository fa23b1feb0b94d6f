import type { ClientSession } from 'mongoose';
import { fanOutShardOf } from '../../contracts/fan-out';
import { merged, newId } from '../../platform/core';
import { afterCommit, databaseNow, insertRows } from '../../platform/mongo';
import { fanOutWake } from './fan-out-wakes';
import { listeningOf } from './listeners';
import type { Listening } from './listeners';
import { EventModel } from './model';
import type { Event } from './model';
import { isSystemName } from '../../rules/system-events';
import type { EmailEventName } from '../../rules/email-events';

type SystemEventName =
  | `email.${'queued' | 'scheduled' | 'skipped' | 'deferred' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'failed' | 'cancelled' | 'received' | 'unsubscribed' | 'domain_verified' | 'domain_failed' | 'feed_failed' | `campaign_${'started' | 'held' | 'sent' | 'cancelled'}`}`
  | `contact.${'created' | 'updated' | 'deleted' | 'subscribed' | 'unsubscribed' | 'suppressed' | 'unsuppressed' | 'topic_subscribed' | 'topic_unsubscribed' | 'snoozed' | 'resumed'}`
  | `segment.${'entered' | 'exited'}`
  | `workflow.${'entered' | 'completed' | 'exited' | 'failed' | 'cancelled'}`;

export interface NewEvent {
  readonly projectId: string;
  /** One of the system's, or a name of the caller's own. */
  readonly name: SystemEventName | (string & {});
  readonly contactId: string | null;
  readonly emailId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly testMode: boolean;
  /** When it happened. */
  readonly at: Date;
  /** Number of automations that led to it, one after another. */
  readonly depth?: number;
  /** False: it starts no automation. */
  readonly enrols?: false;
  /** The listeners by which its caller is answered; those at the time of storing unless given. */
  readonly listening?: Listening;
}

/** An event of a message, with an id that stays the same however often it is emitted. */
export type EmailEvent = NewEvent & { readonly id: string; readonly name: EmailEventName; readonly emailId: string };

type GivenEvent = NewEvent & { readonly id?: string };

/**
 * Stores events in the transaction of the change that they describe, so that there is never one without the other. After the commit
 * they are delivered to listeners. A test-mode event carries `data.testMode` (docs/events.md).
 */
export async function emit(session: ClientSession, events: readonly GivenEvent[]): Promise<readonly string[]> {
  if (events.length === 0) return [];
  const wake = fanOutWake();
  const rows = await eventRows(events);
  await insertRows(EventModel, rows, session);
  const shards = shardsOf(rows);
  if (shards.size > 0) afterCommit(session, () => wake(shards));
  return rows.map(({ _id }) => _id);
}

/**
 * Does the same for bulk work that is repeated after a crash: an event with an id of its own is stored once, however often it is emitted. The caller emits
 * before it records the change, so that the change cannot be there without its events. Resolves to the ids of those that were not stored before.
 */
export async function emitOnce(events: readonly (NewEvent & { readonly id: string })[]): Promise<ReadonlySet<string>> {
  if (events.length === 0) return new Set();
  const wake = fanOutWake();
  const rows = await eventRows(events);
  const known = new Set(await insertRows(EventModel, rows));
  wake(shardsOf(rows));
  return new Set(rows.flatMap(({ _id }, at) => (known.has(at) ? [] : [_id])));
}

const shardsOf = (rows: readonly Event[]): ReadonlySet<number> => new Set(rows.flatMap(({ fanOut }) => fanOut ?? []));

async function eventRows(events: readonly GivenEvent[]): Promise<Event[]> {
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))];
  const [receivedAt, ...heard] = await Promise.all([databaseNow(), ...projectIds.map(listeningOf)]);
  const listening = new Map(projectIds.map((projectId, index) => [projectId, heard[index] as Listening]));
  return events.map((event) => eventRow(event, receivedAt, listening.get(event.projectId) as Listening));
}

const dataOf = ({ data, testMode }: GivenEvent): Event['data'] => (testMode ? { ...data, testMode: true } : (data ?? null));

function eventRow(event: GivenEvent, receivedAt: Date, listening: Listening): Event {
  const { projectId, name, contactId, testMode, at } = event;
  const row: Event = {
    // By the time of storing, not by `at`: events emitted later sort later, even if a caller dates them back.
    _id: event.id ?? newId('evt'),
    projectId,
    contactId,
    emailId: event.emailId ?? null,
    name,
    data: dataOf(event),
    testMode,
    createdAt: at,
    receivedAt,
    depth: event.depth ?? 0,
  };
  const silent = event.enrols === false ? merged(row, { enrols: false as const }) : row;
  const answered = event.listening ?? listening;
  if (!(listening.hears(name) || answered.hears(name)) || isMachineHit(event)) return silent;
  return merged(silent, { fanOut: fanOutShardOf(contactId, projectId), fanOutAt: receivedAt, fanOutVersion: answered.version });
}

/**
 * Returns whether a machine opened or clicked: that is kept, but has no effect (docs/tracking.md). A caller's own `data.machine` has no
 * meaning for us.
 */
const isMachineHit = ({ name, data }: NewEvent): boolean => data?.['machine'] === true && isSystemName(name);
