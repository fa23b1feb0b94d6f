import type { Context, PageRequest } from '../../platform/core';
import { insertRows, newestFirst, removePage } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { ContactNoteModel } from './note-model';
import type { ContactNote } from './note-model';

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
