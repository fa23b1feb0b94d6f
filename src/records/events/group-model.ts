import { Schema, model } from 'mongoose';
import type { GroupedName } from '../../rules/email-events';

/**
 * The equal events of many live messages within a second: one event for each message and name. Stored as a slice (`slices.ts`), whose messages are rows of the
 * ledger that hold the events themselves, so that only their `count` is here; earlier releases named the messages.
 */
export interface EventGroup {
  readonly _id: string;
  readonly projectId: string;
  /** Empty: the group is closed, and its messages can be in no other. */
  readonly names: readonly GroupedName[];
  /** Empty of a slice. No message is in two groups with responses of the next server. */
  readonly emails: readonly string[];
  /** Whose the messages are, in the same order, none of them twice; null where the contact is gone. */
  readonly contacts: readonly (string | null)[];
  /** What kind of mail. */
  readonly source: string;
  /** What the next server said, in the same order, or once when it said the same of all. Absent in groups of `email.queued`. */
  readonly responses?: readonly string[];
  /** Messages that bounced after their `email.delivered`. */
  readonly undone?: readonly string[];
  /** When it happened to the last of them; to the others within the same second. Of groups of earlier releases, to the first. */
  readonly createdAt: Date;
  readonly receivedAt: Date;
  /** How many messages a slice has; absent where they are named. */
  readonly count?: number;
  /** Of a slice of a campaign's attempt. */
  readonly campaignId?: string;
}

const texts = { type: [String], required: true };

const groupSchema = new Schema<EventGroup>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    names: texts,
    emails: texts,
    contacts: texts as never,
    source: { type: String, required: true },
    responses: { type: [String], default: undefined },
    undone: { type: [String], default: undefined },
    createdAt: { type: Date, required: true },
    receivedAt: { type: Date, required: true },
    count: { type: Number },
    campaignId: { type: String },
  },
  { strict: 'throw', versionKey: false },
);
groupSchema.index({ emails: 1 }, { name: 'answered_once', unique: true, partialFilterExpression: { responses: { $exists: true } } }); // a message is in one group with responses at most
groupSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's events
groupSchema.index({ projectId: 1, names: 1, createdAt: -1, _id: -1 }); // events of a name: list, stats
groupSchema.index({ projectId: 1, contacts: 1, createdAt: -1, _id: -1 }); // what a contact got: timeline, lists, conditions
groupSchema.index({ receivedAt: 1 }); // counts of names: what came since the last tally

export const EventGroupModel = model<EventGroup>('EventGroup', groupSchema, 'event_groups');
