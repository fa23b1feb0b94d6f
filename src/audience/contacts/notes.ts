import type { Context, PageRequest } from '../../platform/core';
import { insertRows, newestFirst, removePage, model, rowSchema } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { Schema } from 'mongoose';

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

/** Adds a note to the timeline of its contact. A note with the same id is added once, however often. */
export async function noteOnce(note: ContactNote): Promise<void> {
  await insertRows(ContactNoteModel, [note]);
}

/** Resolves to a page of the notes about a contact, newest first. */
export const notesOf = ({ projectId }: Context, contactId: string, request: PageRequest): Promise<Page<ContactNote>> =>
  newestFirst(ContactNoteModel, { projectId, contactId }, request);

/** Deletes a page of a project's notes that were made before an instant. */
export const removeOldNotes = (projectId: string, before: Date, limit: number): Promise<number> =>
  removePage(ContactNoteModel, { projectId, createdAt: { $lt: before } }, limit, { projectId: 1, createdAt: 1 });

/** Deletes the notes about contacts that are gone, made up to `before`. */
export async function deleteNotes(projectId: string, contactIds: readonly string[], before: Date): Promise<void> {
  await ContactNoteModel.deleteMany({ projectId, contactId: { $in: [...contactIds] }, createdAt: { $lte: before } });
}
