import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';
import { newId } from '../ids';
import { EventModel } from './model';
import type { Event } from './model';

type SystemEventName =
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
 * How an event comes to be: stored in the transaction of the change that it tells of, so that there is never one without the other.
 * A test-mode event carries `data.testMode` (docs/events.md).
 */
export async function emit(session: ClientSession, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => eventRow(newId('evt', event.at.getTime()), event));
  await EventModel.collection.insertMany(rows as never, { session, ordered: true });
}

/**
 * The same for bulk work that is repeated after a crash: an event with an id of its own is stored once, however often it is told. The caller tells
 * before it records the change, so that the change cannot be there without its events.
 */
export async function emitOnce(events: readonly (NewEvent & { readonly id: string })[]): Promise<void> {
  if (events.length === 0) return;
  try {
    await EventModel.collection.insertMany(events.map((event) => eventRow(event.id, event)) as never, { ordered: false });
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoBulkWriteError && isRepetition(error))) throw error;
  }
}

const isRepetition = ({ writeErrors }: mongoose.mongo.MongoBulkWriteError): boolean =>
  [writeErrors].flat().every((failure) => failure.code === 11000);

const eventRow = (_id: string, { projectId, name, contactId, emailId = null, data, testMode, at }: NewEvent): Event => ({
  _id,
  projectId,
  contactId,
  emailId,
  name,
  data: testMode ? { ...data, testMode: true } : (data ?? null),
  testMode,
  createdAt: at,
});
