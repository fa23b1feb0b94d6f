import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { TopicChoices } from '../../rules/topics';

/** An address of a project, with what is known of its person. */
export interface Contact extends TopicChoices {
  /** `addressId('ctc', project.idSalt, email)`: one address, one contact, however many requests race. */
  readonly _id: string;
  readonly projectId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly subscribed: boolean;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly locale: string | null;
  /** The IANA name of the time zone that send windows and local times go by; null where it is not known. */
  readonly timezone: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the person opted out; an import never turns such a contact subscribed again. */
  readonly optedOutAt: Date | null;
  /** Until then the person wants no marketing mail; absent where they pause none. */
  readonly snoozedUntil?: Date;
}

const contactSchema = rowSchema<Contact>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  email: { type: String, required: true },
  firstName: { type: String, default: null },
  lastName: { type: String, default: null },
  subscribed: { type: Boolean, default: true },
  data: { type: Schema.Types.Mixed, default: null },
  locale: { type: String, default: null },
  timezone: { type: String, default: null },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  optedOutAt: { type: Date, default: null },
  snoozedUntil: { type: Date },
  // Absent, and in no index, where the person chose nothing.
  topicsIn: { type: [Schema.Types.Mixed], default: undefined } as never,
  topicsOut: { type: [Schema.Types.Mixed], default: undefined } as never,
});
contactSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's contacts, newest first; search, export and recounts walk along it
contactSchema.index({ projectId: 1, subscribed: 1, createdAt: -1, _id: -1 }); // the same, subscribed or not
contactSchema.index({ projectId: 1, _id: 1 }); // walks over all contacts; ids derive from keyed hashes, so the first n are a fair sample
for (const topics of ['topicsIn', 'topicsOut']) {
  const topicId = `${topics}.topicId`;
  contactSchema.index(
    { projectId: 1, [topicId]: 1, subscribed: 1, createdAt: -1, _id: -1 },
    { partialFilterExpression: { [topicId]: { $exists: true } } },
  ); // who chose a topic, or left it: segments, audiences; the index alone counts them, subscribed or not
}

export const ContactModel = model<Contact>('Contact', contactSchema, 'contacts');

/** Returns a contact as the API and webhooks show it. */
export function contactShape(contact: Contact) {
  const { _id, projectId, email, firstName, lastName, subscribed, data, locale, timezone, createdAt, updatedAt, snoozedUntil } = contact;
  return {
    contactId: _id,
    projectId,
    email,
    firstName,
    lastName,
    subscribed,
    data,
    locale,
    timezone,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    ...(snoozedUntil && { snoozedUntil: snoozedUntil.toISOString() }),
  };
}

export type ContactShape = ReturnType<typeof contactShape>;
