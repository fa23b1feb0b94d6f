import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** An entry of a contact's timeline in addition to its events and e-mails: nothing listens to it, and no list of events shows it. */
export interface ContactNote {
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly name: 'workflow.refused';
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

const noteSchema = rowSchema<ContactNote>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  name: { type: String, required: true },
  data: { type: Schema.Types.Mixed, required: true },
  createdAt: { type: Date, required: true },
});
noteSchema.index({ projectId: 1, contactId: 1, createdAt: -1, _id: -1 }); // timeline of a contact, and its deletion
noteSchema.index({ projectId: 1, createdAt: 1 }); // retention: the oldest of a project

export const ContactNoteModel = model<ContactNote>('ContactNote', noteSchema, 'contact_notes');
