import type { ClientSession } from 'mongoose';
import type { Context } from '../../platform/core';
import { notFound } from '../../platform/core';
import { emit } from '../../records/events';
import { databaseNow, inTransaction } from '../../platform/mongo';
import type { ContactErasure } from './erasures';
import { detachNow, noteDetachment } from './erasures';
import { countFields, fieldCounts } from './fields';
import { onContactsRemoved } from './hooks';
import { keepTopics } from './kept-topics';
import { ContactModel } from './model';
import type { Contact } from './model';
import { keepOptOuts } from './opt-outs';
import { contactIdOf } from './service';

/**
 * Deletes a contact with its memberships; its e-mails and events stay without a contact, and are erased. `which` is an id or an address.
 * Throws `not_found`.
 */
export async function deleteContact(ctx: Context, which: string): Promise<void> {
  const filter = { _id: contactIdOf(ctx, which), projectId: ctx.projectId };
  const rows = await inTransaction(async (session) => {
    const contact = await ContactModel.findOne(filter, null, { session }).lean<Contact>();
    if (!contact) throw notFound('Contact');
    return removeContacts(session, ctx, [contact]);
  });
  await detachNow(ctx.core, rows);
}

/** Deletes contacts that the transaction has read. After the commit the caller passes the result to `detachNow`. */
export async function removeContacts(
  session: ClientSession,
  ctx: Context,
  contacts: readonly Contact[],
): Promise<readonly ContactErasure[]> {
  const { projectId, testMode } = ctx;
  if (contacts.length === 0) return [];
  const ids = contacts.map(({ _id }) => _id);
  const at = await databaseNow();
  await ContactModel.deleteMany({ _id: { $in: ids }, projectId }, { session });
  await keepOptOuts(session, ctx.project, contacts, at);
  await keepTopics(session, projectId, contacts);
  for (const takePart of onContactsRemoved.answers) await takePart(session, ctx, contacts, at);
  const deltas = contacts.flatMap(({ data }) => fieldCounts(data, null));
  await countFields(session, projectId, deltas);
  const event = { projectId, name: 'contact.deleted', testMode, at };
  const events = ids.map((contactId) => ({ ...event, contactId, data: { source: 'api', contactId } }));
  await emit(session, events);
  return noteDetachment(session, projectId, ids, at);
}
