import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { invalid, limitOf } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import type { ContactChange } from '../../rules/contact-change';
import { findSuppressions, forgetOptOut, holdsOptOut } from '../../records/suppressions';
import { changed, made, writeContacts, dataFault } from './change';
import type { ChangedContact, ContactSource } from './change';
import { requireFieldRoom } from './field-room';
import { ContactModel } from './model';
import type { Contact } from './model';
import { contactIdFor } from './service';

export interface UpsertContact extends ContactChange {
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
