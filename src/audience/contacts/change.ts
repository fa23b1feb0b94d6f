import type { ClientSession } from 'mongoose';
import { recordConsent } from '../../records/consent';
import type { Consent } from '../../records/consent';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { changeContact } from '../../rules/contact-change';
import type { ContactChange, ContactFields } from '../../rules/contact-change';
import { countFields, fieldCounts } from './fields';
import { leftBy, takeKeptTopics } from './kept-topics';
import { ContactModel } from './model';
import type { Contact } from './model';
import { invalid, limitOf } from '../../platform/core';
import type { DetailCode, Context } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import { findSuppressions, forgetOptOut, holdsOptOut } from '../../records/suppressions';
import { requireFieldRoom } from './field-room';
import { contactIdFor } from './service';

/** The source of a contact or of its change; part of its events. */
export type ContactSource = 'api' | 'import' | 'send' | 'event' | 'inbound' | 'automation' | 'form' | 'opt_in';

/** Fields of a change's event in addition to the change itself. */
export interface Cause {
  readonly source: ContactSource;
  readonly testMode: boolean;
  readonly at: Date;
  /** False: the event starts no automation. */
  readonly enrols?: false;
  /** Number of automations that led to it, one after another. */
  readonly depth?: number;
}

/** A contact before and after a change. */
export interface ChangedContact {
  readonly before: Contact | null;
  readonly after: Contact;
  readonly changed: readonly string[];
  readonly turned: 'subscribed' | 'unsubscribed' | null;
}

type Identity = Pick<Contact, '_id' | 'projectId' | 'email'>;

/** Returns a stored contact after a change. `updatedAt` moves when something is changed that people see. */
export function changed(before: Contact, change: ContactChange, at: Date): ChangedContact {
  const { fields, changed, turned } = changeContact(before, change, at);
  const after = contactOf(before, fields, before.createdAt, changed.length > 0 ? at : before.updatedAt);
  const { topicsIn, topicsOut } = before;
  if (!topicsIn && !topicsOut) return { before, after, changed, turned };
  return { before, after: { ...after, ...(topicsIn && { topicsIn }), ...(topicsOut && { topicsOut }) }, changed, turned };
}

/** Returns a new contact. One whose address opted out before starts unsubscribed, and as protected as it was. */
export function made(identity: Identity, change: ContactChange, at: Date, hadOptedOut: boolean): ChangedContact {
  const { fields, changed } = changeContact(null, change, at, !hadOptedOut);
  const optedOutAt = fields.optedOutAt ?? (fields.subscribed ? null : at);
  return { before: null, after: contactOf(identity, { ...fields, optedOutAt }, at, at), changed, turned: null };
}

/** Builds a contact member by member: an object made of two others takes four times the memory, and an import makes many. */
const contactOf = (identity: Identity, fields: ContactFields, createdAt: Date, updatedAt: Date): Contact => ({
  _id: identity._id,
  projectId: identity.projectId,
  email: identity.email,
  firstName: fields.firstName,
  lastName: fields.lastName,
  subscribed: fields.subscribed,
  data: fields.data,
  locale: fields.locale,
  timezone: fields.timezone,
  createdAt,
  updatedAt,
  optedOutAt: fields.optedOutAt,
});

/**
 * Writes contacts of one project as they are after their changes, counts their fields, records who subscribed or unsubscribed and emits their events, in the
 * transaction that read them. What did not change is not written.
 */
export async function writeContacts(
  session: ClientSession,
  projectId: string,
  changes: readonly ChangedContact[],
  { source, ...cause }: Cause,
): Promise<void> {
  const created = changes.filter(({ before }) => before === null);
  const updated = changes.filter(({ before, after, changed }) => before && (changed.length > 0 || !sameInstant(before, after)));
  if (created.length > 0) {
    const ids = created.map(({ after }) => after._id);
    const left = await takeKeptTopics(session, projectId, ids);
    await ContactModel.collection.insertMany(
      left.size === 0 ? created.map(({ after }) => after) : created.map(({ after }) => ({ ...after, ...leftBy(left, after._id) })),
      { session },
    );
  }
  if (updated.length > 0) await ContactModel.collection.bulkWrite(updated.map(updateOf), { session, ordered: false });
  const deltas = changes.flatMap(({ before, after }) => fieldCounts(before?.data ?? null, after.data));
  await countFields(session, projectId, deltas);
  const consents = changes.flatMap((change) => consentOf(change, source, cause.at));
  await recordConsent(session, projectId, consents);
  const events = changes.flatMap((change) => eventsOf(change, source, cause));
  await emit(session, events);
}

// A confirmation writes entries of its own, which say more.
const consentOf = ({ after, turned }: ChangedContact, source: ContactSource, at: Date): readonly Consent[] =>
  turned === null || source === 'opt_in' || source === 'form'
    ? []
    : [{ contactId: after._id, kind: turned === 'unsubscribed' ? 'withdrawn' : 'changed', source, at }];

const sameInstant = (before: Contact, after: Contact): boolean => before.optedOutAt?.getTime() === after.optedOutAt?.getTime();

function updateOf({ after }: ChangedContact) {
  const { _id, projectId, email: _email, createdAt: _createdAt, ...fields } = after;
  return { updateOne: { filter: { _id: _id, projectId }, update: { $set: fields } } };
}

function eventsOf(
  { before, after, changed, turned }: ChangedContact,
  source: ContactSource,
  cause: Omit<Cause, 'source'>,
): readonly NewEvent[] {
  const event = { ...cause, projectId: after.projectId, contactId: after._id };
  if (!before) return [{ ...event, name: 'contact.created', data: { source } }];
  if (changed.length === 0) return [];
  return [
    { ...event, name: 'contact.updated', data: { source, changed } },
    ...(turned ? [{ ...event, name: `contact.${turned}`, data: { source } }] : []),
  ];
}

const MAX_KEYS = 200;
const MAX_BYTES = 32_768;
/** The BSON library takes an object with this key for one of its own types. */
const FOREIGN_KEY = '_bsontype';

type Data = Readonly<Record<string, unknown>>;

interface DataFault {
  readonly code: DetailCode;
  readonly message: string;
}

/** Returns why a contact cannot have these custom fields, all together, or null (docs/errors.md, Limits on text). */
export function dataFault(data: Data | null): DataFault | null {
  if (data === null) return null;
  if (Object.keys(data).length > MAX_KEYS) return { code: 'too_big', message: `A contact has at most ${MAX_KEYS} fields` };
  const json = JSON.stringify(data);
  if (Buffer.byteLength(json) > MAX_BYTES)
    return { code: 'too_big', message: `A contact has at most ${MAX_BYTES} bytes of JSON in its fields` };
  if (json.includes(`"${FOREIGN_KEY}"`) && hasForeignKey(data))
    return { code: 'reserved_name', message: `The key ${FOREIGN_KEY} is reserved` };
  return null;
}

const hasForeignKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, FOREIGN_KEY) || Object.values(value).some((inner) => hasForeignKey(inner)));

interface UpsertContact extends ContactChange {
  /** Normalized: lower case, domain in ASCII. */
  readonly email: string;
}

/**
 * Creates the contact of an address or merges into the existing one (docs/contacts.md, Merging); concurrent calls give one contact, and no
 * acknowledged field is lost. A contact that becomes subscribed is no longer opted out. Throws 422 when the fields are too many together,
 * and `limit_exceeded`.
 */
export const upsertContact = (ctx: Context, wanted: UpsertContact): Promise<Upserted> =>
  inSequence(contactIdFor(ctx.project, wanted.email), () => inTransaction((session) => upsertIn(session, ctx, wanted, 'api')));

interface Upserted {
  readonly contact: Contact;
  readonly created: boolean;
}

/** Does the same within a transaction. Throws before it has written anything of the contact. */
export async function upsertIn(session: ClientSession, ctx: Context, wanted: UpsertContact, source: ContactSource): Promise<Upserted> {
  const _id = contactIdFor(ctx.project, wanted.email);
  const at = new Date();
  const current = await ContactModel.findOne({ _id, projectId: ctx.projectId }, null, { session }).lean<Contact>();
  if (wanted.subscribed === true) await forgetOptOut(session, ctx.project, wanted.email);
  const outcome = current ? changed(current, wanted, at) : await newContact(session, ctx, _id, wanted, at);
  const { before, after } = outcome;
  const fault = after.data === (before?.data ?? null) ? null : dataFault(after.data);
  if (fault) throw invalid('data', fault.code, fault.message);
  await requireFieldRoom(session, ctx.projectId, limitOf(ctx.core.config, ctx.project, 'fields'), outcome);
  await writeContacts(session, ctx.projectId, [outcome], { source, testMode: ctx.testMode, at });
  return { contact: after, created: before === null };
}

async function newContact(session: ClientSession, ctx: Context, _id: string, wanted: UpsertContact, at: Date): Promise<ChangedContact> {
  const { email, ...change } = wanted;
  const suppressions = await findSuppressions(ctx.projectId, ctx.project.idSalt, [email], session);
  return made({ _id, projectId: ctx.projectId, email }, change, at, holdsOptOut(suppressions.get(email)));
}
