import type { ClientSession } from 'mongoose';
import { emit } from '../events/emit';
import type { NewEvent } from '../events/emit';
import { addressId } from '../ids';
import { ContactModel } from './model';
import type { Contact } from './model';

export type { Contact } from './model';

/** The id of the contact that an address is, or would be, in a project. */
export const contactIdFor = (project: { readonly idSalt: string }, email: string): string => addressId('ctc', project.idSalt, email);

/** Contacts by id, as far as they exist. */
export async function findContacts(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, Contact>> {
  if (ids.length === 0) return new Map();
  const found = await ContactModel.collection.find<Contact>({ _id: { $in: [...ids] } } as never, session ? { session } : {}).toArray();
  return new Map(found.map((contact) => [contact._id, contact]));
}

export type NewContact = Pick<Contact, '_id' | 'projectId' | 'email' | 'firstName' | 'lastName' | 'subscribed'>;

/**
 * Makes the contacts that are not there yet; names of those that are there are left alone. Resolves to what is to be told of it,
 * which the caller emits in the same transaction.
 */
export async function createMissing(
  session: ClientSession,
  wanted: readonly { readonly contact: NewContact; readonly testMode: boolean }[],
  now: Date,
): Promise<readonly NewEvent[]> {
  if (wanted.length === 0) return [];
  const unique = new Map(wanted.map((row) => [row.contact._id, row]));
  const existing = await findContacts([...unique.keys()], session);
  const missing = [...unique.values()].filter(({ contact }) => !existing.has(contact._id));
  if (missing.length === 0) return [];
  const rows = missing.map(({ contact }): Contact => ({
    ...contact,
    data: null,
    locale: null,
    createdAt: now,
    updatedAt: now,
    optedOutAt: null,
  }));
  await ContactModel.collection.insertMany(rows as never, { session });
  return missing.map(({ contact: { _id, projectId }, testMode }) => ({
    projectId,
    name: 'contact.created',
    contactId: _id,
    testMode,
    at: now,
  }));
}

/**
 * Takes a contact off marketing mail for good: an import will not bring it back. Emits `contact.unsubscribed` when that changes something.
 * Resolves to false when there is no such contact.
 */
export async function optOut(session: ClientSession, contactId: string, testMode: boolean, now: Date): Promise<boolean> {
  const before = await ContactModel.findOneAndUpdate(
    { _id: contactId },
    { $set: { subscribed: false, optedOutAt: now, updatedAt: now } },
    { session, returnDocument: 'before' },
  ).lean<Contact>();
  if (before?.subscribed) {
    await emit(session, [{ projectId: before.projectId, name: 'contact.unsubscribed', contactId, testMode, at: now }]);
  }
  return before !== null;
}
