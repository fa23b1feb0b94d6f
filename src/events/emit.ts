import type { ClientSession } from 'mongoose';
import { newId } from '../ids';
import { EventModel } from './model';
import type { Event } from './model';

export type SystemEventName =
  | `email.${'queued' | 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'failed' | 'cancelled' | 'received' | 'unsubscribed'}`
  | `contact.${'created' | 'updated' | 'deleted' | 'subscribed' | 'unsubscribed'}`;

export interface NewEvent {
  readonly projectId: string;
  readonly name: SystemEventName;
  readonly contactId: string | null;
  readonly emailId?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly testMode: boolean;
  readonly at: Date;
}

/**
 * The only way an event comes to be: stored in the transaction of the change that it tells of, so that there is never one without the other.
 * A test-mode event carries `data.testMode` (contract: Events).
 */
export async function emit(session: ClientSession, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ projectId, name, contactId, emailId = null, data, testMode, at }): Event => ({
    _id: newId('evt', at.getTime()),
    projectId,
    contactId,
    emailId,
    name,
    data: testMode ? { ...data, testMode: true } : (data ?? null),
    testMode,
    createdAt: at,
  }));
  await EventModel.collection.insertMany(rows as never, { session, ordered: true });
}
