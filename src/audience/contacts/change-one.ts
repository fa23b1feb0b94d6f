import type { ClientSession } from 'mongoose';
import type { ProjectFacts } from '../../platform/core';
import { invalid } from '../../platform/core';
import type { ContactChange } from '../../rules/contact-change';
import { forgetOptOut } from '../../records/suppressions';
import { changed, writeContacts } from './change';
import type { Cause } from './change';
import { dataFault } from './data';
import { requireFieldRoom } from './field-room';
import { ContactModel } from './model';
import type { Contact } from './model';

/**
 * Merges into a contact that is there (docs/contacts.md, Merging), in the transaction of what does so. A contact that is gone is left alone.
 * Throws 422 when the fields are too many together, and `limit_exceeded`.
 */
export async function changeOne(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  contactId: string,
  change: ContactChange,
  { maxFields, ...cause }: Cause & { readonly maxFields: number },
): Promise<void> {
  const current = await ContactModel.findOne({ _id: contactId, projectId: project._id }, null, { session }).lean<Contact>();
  if (!current) return;
  if (change.subscribed === true) await forgetOptOut(session, project, current.email);
  const outcome = changed(current, change, cause.at);
  const fault = outcome.after.data === current.data ? null : dataFault(outcome.after.data);
  if (fault) throw invalid('data', fault.code, fault.message);
  await requireFieldRoom(session, project._id, maxFields, outcome);
  await writeContacts(session, project._id, [outcome], cause);
}
