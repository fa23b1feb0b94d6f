import { Schema, model } from 'mongoose';

export interface Event {
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string | null;
  readonly emailId: string | null;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly testMode: boolean;
  readonly createdAt: Date;
}

const eventSchema = new Schema<Event>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    contactId: { type: String, default: null },
    emailId: { type: String, default: null },
    name: { type: String, required: true },
    data: { type: Schema.Types.Mixed, default: null },
    testMode: { type: Boolean, default: false },
    createdAt: { type: Date, required: true },
  },
  { strict: 'throw', versionKey: false },
);
export const EventModel = model<Event>('Event', eventSchema, 'events');
