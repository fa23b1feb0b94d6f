import { Schema } from 'mongoose';
import { model } from '../../platform/mongo';
import type { GroupedName } from '../../rules/email-events';

/**
 * The equal events of many live messages within a second: one event for each message and name. The messages are rows of the ledger that hold the events
 * themselves (`slices.ts`), so that only their `count` is here.
 */
export interface EventGroup {
  readonly _id: string;
  readonly projectId: string;
  readonly names: readonly GroupedName[];
  /** The kind of mail. */
  readonly source: string;
  /** Messages that bounced after their `email.delivered`. */
  readonly undone?: readonly string[];
  /** When it happened to the last of them; to the others within the same second. */
  readonly createdAt: Date;
  readonly receivedAt: Date;
  /** Number of its messages. */
  readonly count: number;
  /** Set for a slice of a campaign's attempt. */
  readonly campaignId?: string;
}

const groupSchema = new Schema<EventGroup>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    names: { type: [String], required: true },
    source: { type: String, required: true },
    undone: { type: [String], default: undefined },
    createdAt: { type: Date, required: true },
    receivedAt: { type: Date, required: true },
    count: { type: Number, required: true },
    campaignId: { type: String },
  },
  { strict: 'throw', versionKey: false },
);
groupSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's events
groupSchema.index({ projectId: 1, names: 1, createdAt: -1, _id: -1 }); // events of a name: list, stats
groupSchema.index({ receivedAt: 1 }); // counts of names: what came since the last tally

export const EventGroupModel = model<EventGroup>('EventGroup', groupSchema, 'event_groups');
