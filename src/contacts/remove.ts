import type { ClientSession } from 'mongoose';
import type { Context } from '../context';
import { notFound } from '../errors';
import { emit } from '../events/emit';
import { databaseNow } from '../mongo/clock';
import { inTransaction } from '../mongo/transaction';
import { removeFromSegments } from '../segments/members';
import type { ContactErasure } from './erasure-model';
import { eraseNow, wantErasure } from './erasures';
import { countFields, fieldCounts } from './fields';
import { ContactModel } from './model';
import type { Contact } from './model';
import { contactIdOf } from './service';

/**
 * Deletes a contact with its memberships; its e-mails and events stay and belong to nobody. `which` is an id or an address.
 * Throws `not_found`.
 */
export async function deleteContact(ctx: Context, which: string): Promise<void> {
  const filter = { _id: contactIdOf(ctx, which), projectId: ctx.projectId };
  const erasures = await inTransaction(async (session) => {
    const contact = await ContactModel.findOne(filter, null, { session }).lean<Contact>();
    if (!contact) throw notFound('Contact');
    return removeContacts(session, ctx, [contact]);
  });
  await eraseNow(ctx.core, erasures);
}

/** Deletes contacts that the transaction has read. After the commit the caller passes the result to `eraseNow`. */
export async function removeContacts(
  session: ClientSession,
  { projectId, testMode }: Context,
  contacts: readonly Contact[],
): Promise<readonly ContactErasure[]> {
  if (contacts.length === 0) return [];
  const ids = contacts.map(({ _id }) => _id);
  const at = await databaseNow();
  await ContactModel.deleteMany({ _id: { $in: ids }, projectId }, { session });
  await removeFromSegments(projectId, ids, at, session);
  await countFields(
    session,
    projectId,
    contacts.flatMap(({ data }) => fieldCounts(data, null)),
  );
  await emit(
    session,
    ids.map((contactId) => ({ projectId, name: 'contact.deleted', contactId, data: { source: 'api', contactId }, testMode, at })),
  );
  return wantErasure(session, projectId, ids, at);
}
