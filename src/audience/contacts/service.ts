import type { ClientSession } from 'mongoose';
import { batched } from '../../platform/async';
import type { Context } from '../../platform/core';
import { addressId, notFound } from '../../platform/core';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { findBytes, inOneAnswer, perDatabase, RowReader } from '../../platform/mongo';
import { holdsOptOut, suppressionsOfContacts } from '../../records/suppressions';
import type { ContactSource } from './change';
import { ContactModel } from './model';
import type { Contact } from './model';

export type { Contact } from './model';

/** Returns the id of the contact that an address is, or would be, in a project. */
export const contactIdFor = (project: { readonly idSalt: string }, email: string): string => addressId('ctc', project.idSalt, email);

/** Returns a contact's id; `which` is an address when it holds an `@`. */
export const contactIdOf = (ctx: Context, which: string): string => (which.includes('@') ? contactIdFor(ctx.project, which) : which);

/** Resolves to the contact of an id or of an address. Throws `not_found`. */
export async function getContact(ctx: Context, which: string): Promise<Contact> {
  const contact = await ContactModel.findOne({ _id: contactIdOf(ctx, which), projectId: ctx.projectId }).lean<Contact>();
  if (!contact) throw notFound('Contact');
  return contact;
}

/** Contacts by id, as far as they exist. */
export async function findContacts(ids: readonly string[], session?: ClientSession): Promise<ReadonlyMap<string, Contact>> {
  if (ids.length === 0) return new Map();
  const found = await ContactModel.collection
    .find<Contact>({ _id: { $in: [...ids] } }, { ...inOneAnswer(ids.length), ...(session && { session }) })
    .toArray();
  return new Map(found.map((contact) => [contact._id, contact]));
}

/** A contact as mail is made for it, and as it is judged whether it gets any. */
export type Reader = Pick<Contact, '_id' | 'email' | 'firstName' | 'lastName' | 'subscribed' | 'data' | 'locale' | 'createdAt'>;

const READ = ['_id', 'email', 'firstName', 'lastName', 'subscribed', 'data', 'locale', 'createdAt'] as const;
const reader = new RowReader<Reader>(new Set(READ));

/** Contacts by id, as far as they exist, for mail to many. */
export async function findReaders(ids: readonly string[]): Promise<ReadonlyMap<string, Reader>> {
  if (ids.length === 0) return new Map();
  const rows = await findBytes(ContactModel, { filter: { _id: { $in: [...ids] } }, limit: ids.length });
  const readers = new Map<string, Reader>();
  for (const row of rows) {
    const contact = reader.read(row);
    readers.set(contact._id, contact);
  }
  return readers;
}

/** A contact as it is now, if it exists: one query answers all that ask together. */
export const findContact = (id: string): Promise<Contact | undefined> => contactsById()(id);

const contactsById = perDatabase(() => batched((ids: readonly string[]) => findContacts(ids)));

export type NewContact = Pick<Contact, '_id' | 'projectId' | 'email' | 'firstName' | 'lastName' | 'subscribed'>;

/**
 * Makes the contacts of a project that are not there yet; names of those that are there are left alone. Who opted out before starts so, and protected.
 * Resolves to its events, which the caller emits in the same transaction.
 */
export async function createMissing(
  session: ClientSession,
  wanted: readonly { readonly contact: NewContact; readonly testMode: boolean }[],
  now: Date,
  source: ContactSource = 'send',
): Promise<readonly NewEvent[]> {
  if (wanted.length === 0) return [];
  const unique = new Map(wanted.map((row) => [row.contact._id, row]));
  const existing = await findContacts([...unique.keys()], session);
  const missing = [...unique.values()].filter(({ contact }) => !existing.has(contact._id));
  if (missing.length === 0) return [];
  const optedOut = await whoOptedOut(session, missing);
  const rows = missing.map(({ contact }): Contact => ({
    ...contact,
    subscribed: contact.subscribed && !optedOut.has(contact._id),
    data: null,
    locale: null,
    createdAt: now,
    updatedAt: now,
    optedOutAt: optedOut.has(contact._id) ? now : null,
  }));
  await ContactModel.collection.insertMany(rows, { session });
  return missing.map(({ contact: { _id, projectId }, testMode }) => ({
    projectId,
    name: 'contact.created',
    contactId: _id,
    data: { source },
    testMode,
    at: now,
  }));
}

async function whoOptedOut(session: ClientSession, made: readonly { readonly contact: NewContact }[]): Promise<ReadonlySet<string>> {
  const ids = made.map(({ contact }) => contact._id);
  const records = await suppressionsOfContacts(made[0]?.contact.projectId ?? '', ids, session);
  return new Set(ids.filter((id) => holdsOptOut(records.get(id))));
}

/**
 * Keeps the place of a contact that the transaction has not found: one that makes the contact meanwhile is repeated, and sees what this one did. Two
 * transactions that insert the same `_id` collide, also when nothing remains of it.
 */
export async function keepPlace(session: ClientSession, contactId: string): Promise<void> {
  const _id = contactId;
  await ContactModel.collection.insertOne({ _id }, { session });
  await ContactModel.collection.deleteOne({ _id }, { session });
}

/**
 * Takes a contact off marketing mail for good: an import will not bring it back. Emits `contact.unsubscribed` when that changes something.
 * Resolves to false when there is no such contact.
 */
export async function optOut(session: ClientSession, contactId: string, testMode: boolean, now: Date): Promise<boolean> {
  const before = (await ContactModel.collection.findOneAndUpdate(
    { _id: contactId },
    [
      {
        $set: {
          subscribed: false,
          optedOutAt: { $ifNull: ['$optedOutAt', now] },
          updatedAt: { $cond: ['$subscribed', now, '$updatedAt'] },
        },
      },
    ],
    { session, returnDocument: 'before' },
  )) as unknown as Contact | null;
  if (before?.subscribed) {
    await emit(session, [{ projectId: before.projectId, name: 'contact.unsubscribed', contactId, testMode, at: now }]);
  }
  return before !== null;
}

/** Takes back that a contact opted out. Resolves to whether it had. */
export async function optIn(session: ClientSession, contactId: string, now: Date): Promise<boolean> {
  const filter = { _id: contactId, optedOutAt: { $ne: null } };
  const change = { $set: { subscribed: true, optedOutAt: null, updatedAt: now } };
  return (await ContactModel.collection.updateOne(filter, change, { session })).modifiedCount === 1;
}
