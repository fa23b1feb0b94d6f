import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Something that happened, with what is needed to hand it on. */
export interface Event {
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string | null;
  readonly emailId: string | null;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly testMode: boolean;
  /** When it happened: lists and windows go by it. */
  readonly createdAt: Date;
  /** When it was stored, by the database's clock: triggers and waits go by it. */
  readonly receivedAt: Date;
  /** Number of automations that led to it, one after another; 0 for people's actions. */
  readonly depth: number;
  /** Present, and false, on an event that starts no automation. */
  readonly enrols?: false;
  /** A delivery that bounced later: the event stays, and counts no more. */
  readonly undone?: true;
  /** The shard of the fan-out pump that has yet to hand it on; absent when that is done, or there was no listener. */
  readonly fanOut?: number;
  /** When it is to be delivered: at its receipt, later after it failed. There as long as `fanOut` is. */
  readonly fanOutAt?: Date;
  /** The version of the project's listeners at its receipt: who heard it then gets it, however late it is handed on. There as long as `fanOut` is. */
  readonly fanOutVersion?: number;
  /** Number of times it was set aside because a consumer could not take it. */
  readonly fanOutTries?: number;
}

export const FAN_OUT_INDEX = { fanOut: 1, projectId: 1, fanOutAt: 1, _id: 1 } as const;

/** Index by receipt, of all projects. */
export const RECEIPT_INDEX = { receivedAt: 1, projectId: 1, name: 1, createdAt: 1 } as const;

/** Index of a project's events by receipt. */
export const FEED_INDEX = { projectId: 1, receivedAt: 1, _id: 1 } as const;

/** Index of what contacts did. With its last members, the events of a name are found without a look at the others. */
export const OF_CONTACTS_INDEX = { projectId: 1, contactId: 1, createdAt: -1, _id: -1, name: 1, testMode: 1 } as const;

const eventSchema = rowSchema<Event>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, default: null },
  emailId: { type: String, default: null },
  name: { type: String, required: true },
  data: { type: Schema.Types.Mixed, default: null },
  testMode: { type: Boolean, default: false },
  createdAt: { type: Date, required: true },
  receivedAt: { type: Date, required: true },
  depth: { type: Number, default: 0 },
  enrols: { type: Boolean },
  undone: { type: Boolean },
  fanOut: { type: Number },
  fanOutAt: { type: Date },
  fanOutVersion: { type: Number },
  fanOutTries: { type: Number },
});
eventSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's events, newest first
eventSchema.index({ projectId: 1, name: 1, createdAt: -1, _id: -1 }); // events of a name: list, stats, usage
eventSchema.index(OF_CONTACTS_INDEX, { partialFilterExpression: { contactId: { $gt: '' } } }); // what a contact did, newest first: timeline, lists, conditions, waits
eventSchema.index(FAN_OUT_INDEX, { partialFilterExpression: { fanOut: { $exists: true } } }); // the fan-out pump, and its sweep: what is to be delivered, project by project, in order
eventSchema.index(RECEIPT_INDEX); // counts of names: what came since the last tally, without a check of the events themselves
eventSchema.index(FEED_INDEX); // the feed: a project's events in the order of their receipt; retention: the oldest

export const EventModel = model<Event>('Event', eventSchema, 'events');
