import type { ClientSession } from 'mongoose';
import { batched } from '../../platform/batch';
import type { Context } from '../../platform/core';
import { addressId, notFound } from '../../platform/core';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { findBytes, inOneAnswer, ofProjects, perDatabase, RowReader } from '../../platform/mongo';
import type { OfProjects } from '../../platform/mongo';
import { holdsOptOut, suppressionsOfContacts } from '../../records/suppressions';
import type { ContactSource } from './change';
import { leftBy, takeKeptTopics } from './kept-topics';
import { ContactModel } from './model';
import type { Contact } from './model';

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

/** Resolves to contacts of a project, or of some, by id, as far as they exist. */
export async function findContacts(
  projectId: string | OfProjects,
  ids: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, Contact>> {
  if (ids.length === 0) return new Map();
  const found = await read({ _id: { $in: [...ids] }, projectId }, ids.length, session);
  return new Map(found.map((contact) => [contact._id, contact]));
}

const read = (filter: object, most: number, session?: ClientSession): Promise<Contact[]> =>
  ContactModel.collection.find<Contact>(filter, { ...inOneAnswer(most), hint: '_id_', ...(session && { session }) }).toArray();

/** The fields of a contact that decide whether it gets mail, and with what values. */
export type Reader = Pick<
  Contact,
  | '_id'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'subscribed'
  | 'data'
  | 'locale'
  | 'timezone'
  | 'createdAt'
  | 'topicsIn'
  | 'topicsOut'
  | 'snoozedUntil'
>;

const READ = [
  ...(['_id', 'email', 'firstName', 'lastName', 'subscribed', 'data', 'locale', 'timezone', 'createdAt'] as const),
  ...(['topicsIn', 'topicsOut', 'snoozedUntil'] as const),
];
const reader = new RowReader<Reader>(new Set(READ));

/** Resolves to contacts of a project by id, as far as they exist, for mail to many. */
export async function findReaders(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Reader>> {
  if (ids.length === 0) return new Map();
  const rows = await findBytes(ContactModel, { filter: { _id: { $in: [...ids] }, projectId }, hint: '_id_', limit: ids.length });
  const readers = new Map<string, Reader>();
  for (const row of rows) {
    const contact = reader.read(row);
    readers.set(contact._id, contact);
  }
  return readers;
}

interface ContactKey {
  readonly projectId: string;
  readonly contactId: string;
}

/** Resolves to a contact as it is now, null if the project does not have it: one query answers all that ask together. */
export const findContact = (projectId: string, contactId: string): Promise<Contact | undefined> => contactsNow()({ projectId, contactId });

const contactsNow = perDatabase(() =>
  batched(async (keys: readonly ContactKey[]): Promise<ReadonlyMap<ContactKey, Contact>> => {
    const ids = [...new Set(keys.map(({ contactId }) => contactId))];
    const found = await read({ _id: { $in: ids }, projectId: ofProjects(keys) }, ids.length);
    const contacts = new Map(found.map((contact) => [contact._id, contact]));
    return new Map(
      keys.flatMap((key) => {
        const contact = contacts.get(key.contactId);
        return contact?.projectId === key.projectId ? [[key, contact] as const] : [];
      }),
    );
  }),
);

export type NewContact = Pick<Contact, '_id' | 'projectId' | 'email' | 'firstName' | 'lastName' | 'subscribed'>;

/**
 * Creates the contacts of a project that do not exist yet; names of existing ones are left alone, and of several that are one, the first is created. Contacts that opted out before stay opted
 * out and protected. Resolves to its events, which the caller emits in the same transaction.
 */
export async function createMissing(
  session: ClientSession,
  wanted: readonly { readonly contact: NewContact; readonly testMode: boolean }[],
  now: Date,
  source: ContactSource = 'send',
): Promise<readonly NewEvent[]> {
  const [first] = wanted;
  if (!first) return [];
  const { projectId } = first.contact;
  const unique = new Map<string, (typeof wanted)[number]>();
  for (const row of wanted) if (!unique.has(row.contact._id)) unique.set(row.contact._id, row);
  const existing = await findContacts(projectId, [...unique.keys()], session);
  const missing = [...unique.values()].filter(({ contact }) => !existing.has(contact._id));
  if (missing.length === 0) return [];
  const optedOut = await whoOptedOut(session, projectId, missing);
  const ids = missing.map(({ contact }) => contact._id);
  const left = await takeKeptTopics(session, projectId, ids);
  const rows = missing.map(({ contact }): Contact => ({
    ...contact,
    ...leftBy(left, contact._id),
    subscribed: contact.subscribed && !optedOut.has(contact._id),
    data: null,
    locale: null,
    timezone: null,
    createdAt: now,
    updatedAt: now,
    optedOutAt: optedOut.has(contact._id) ? now : null,
  }));
  await ContactModel.collection.insertMany(rows, { session });
  return missing.map(({ contact: { _id }, testMode }) => ({
    projectId,
    name: 'contact.created',
    contactId: _id,
    data: { source },
    testMode,
    at: now,
  }));
}

async function whoOptedOut(
  session: ClientSession,
  projectId: string,
  made: readonly { readonly contact: NewContact }[],
): Promise<ReadonlySet<string>> {
  const ids = made.map(({ contact }) => contact._id);
  const records = await suppressionsOfContacts(projectId, ids, session);
  return new Set(ids.filter((id) => holdsOptOut(records.get(id))));
}

/**
 * Reserves the id of a contact that the transaction has not found: one that makes the contact meanwhile is repeated, and sees what this one did. Two
 * transactions that insert the same `_id` collide, also when nothing remains of it.
 */
export async function reserveId(session: ClientSession, projectId: string, contactId: string): Promise<void> {
  const stub = { _id: contactId, projectId };
  await ContactModel.collection.insertOne(stub, { session });
  await ContactModel.collection.deleteOne(stub, { session });
}

/**
 * Takes a contact off marketing mail for good: an import will not bring it back. Emits `contact.unsubscribed` when that changes something.
 * Resolves to false if the contact does not exist.
 */
export async function optOut(session: ClientSession, { projectId, contactId }: ContactKey, testMode: boolean, now: Date): Promise<boolean> {
  const before = (await ContactModel.collection.findOneAndUpdate(
    { _id: contactId, projectId },
    [
      {
        $set: {
          subscribed: false,
          optedOutAt: { $ifNull: ['$optedOutAt', now] },
          updatedAt: { $cond: ['$subscribed', now, '$updatedAt'] },
        },
      },
    ],
    { session, returnDocument: 'before', hint: { _id: 1 } },
  )) as unknown as Contact | null;
  if (before?.subscribed) {
    await emit(session, [{ projectId, name: 'contact.unsubscribed', contactId, testMode, at: now }]);
  }
  return before !== null;
}

/** Takes back that a contact opted out. Resolves to whether it had. */
export async function optIn(session: ClientSession, { projectId, contactId }: ContactKey, now: Date): Promise<boolean> {
  const filter = { _id: contactId, projectId, optedOutAt: { $ne: null } };
  const change = { $set: { subscribed: true, optedOutAt: null, updatedAt: now } };
  return (await ContactModel.collection.updateOne(filter, change, { session, hint: '_id_' })).modifiedCount === 1;
}
