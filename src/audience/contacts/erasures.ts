import type { ClientSession } from 'mongoose';
import { afterwards } from '../../platform/async';
import type { Core } from '../../platform/core';
import { detachEmails } from '../../records/emails';
import { detachEvents } from '../../records/events';
import { newId } from '../../platform/core';
import { ofProjects, model, rowSchema } from '../../platform/mongo';
import { onContactsDetached, onContactsGone } from './hooks';
import { ContactModel } from './model';
import { deleteNotes } from './notes';

/** The remaining work after a contact was deleted. */
export interface ContactErasure {
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  /** When it was deleted: what came later belongs to a contact made again. By the database's clock. */
  readonly before: Date;
}

const erasureSchema = rowSchema<ContactErasure>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  before: { type: Date, required: true },
});
erasureSchema.index({ before: 1, _id: 1 }); // sweep: what was deleted a while ago

export const ContactErasureModel = model<ContactErasure>('ContactErasure', erasureSchema, 'contact_erasures');

/** Grace period for writes that were in flight when a contact was deleted. */
const IN_FLIGHT_MS = 30_000;
const SWEEP_LIMIT = 1_000;

/** Notes, in the transaction of their deletion, that contacts are to be taken out of the rows that name them. */
export async function noteDetachment(
  session: ClientSession,
  projectId: string,
  contactIds: readonly string[],
  before: Date,
): Promise<readonly ContactErasure[]> {
  const rows = contactIds.map((contactId) => ({ _id: newId('era'), projectId, contactId, before }));
  await ContactErasureModel.collection.insertMany(rows, { session });
  return rows;
}

/**
 * Takes deleted contacts out of e-mails, events and webhook deliveries at once, as far as those are committed. A failure is left to the sweep, which does it again in any
 * case: what was in the middle of a transaction is there by then.
 *
 * | killed                      | found                             | happens                          |
 * |-----------------------------|-----------------------------------|----------------------------------|
 * | before the commit           | the contact, untouched            | the caller asks again            |
 * | after it                    | the intent, all rows as they were | the sweep does it within seconds |
 * | in the middle, or afterwards | the intent, some or all rows done | the sweep does the rest          |
 */
export const detachNow = (core: Core, rows: readonly ContactErasure[]): Promise<void> =>
  afterwards(core, 'Rows of deleted contacts are left to the sweep', () => detach(rows, 'first'));

async function detach(rows: readonly ContactErasure[], events: 'first' | 'all' = 'all'): Promise<void> {
  for (const [{ projectId, before }, contactIds] of deletedTogether(rows)) {
    await detachEmails(projectId, contactIds, before);
    await detachEvents(projectId, contactIds, before, events);
    await deleteNotes(projectId, contactIds, before);
    for (const detachFrom of onContactsDetached.answers) await detachFrom(projectId, contactIds, before);
  }
}

function deletedTogether(rows: readonly ContactErasure[]): Iterable<readonly [ContactErasure, string[]]> {
  const groups = new Map<string, readonly [ContactErasure, string[]]>();
  for (const row of rows) {
    const key = `${row.projectId}/${row.before.getTime()}`;
    const group = groups.get(key) ?? ([row, []] as const);
    group[1].push(row.contactId);
    groups.set(key, group);
  }
  return groups.values();
}

/**
 * Finishes deletions. Resolves to how many; safe to repeat, and to run twice at once.
 *
 * | what met the contact when it was deleted      | its instant                | taken out                                                    |
 * |-----------------------------------------------|----------------------------|--------------------------------------------------------------|
 * | it was there by the deletion's commit          | before the deletion        | at once                                                      |
 * | it was in a transaction of its own             | before the deletion        | by the sweep                                                 |
 * | it had read the contact and was written later  | a moment after the deletion | by the sweep, unless the address has a contact again: then it may be that one's |
 */
export async function sweepErasures(core: Core, now: Date): Promise<number> {
  const rows = await ContactErasureModel.find({ before: { $lte: new Date(now.getTime() - IN_FLIGHT_MS) } })
    .sort({ before: 1, _id: 1 })
    .limit(SWEEP_LIMIT)
    .lean<ContactErasure[]>();
  if (rows.length === 0) return 0;
  const extended = await withInFlight(rows);
  await detach(extended);
  for (const [{ projectId, before }, contactIds] of deletedTogether(extended)) {
    for (const end of onContactsGone.answers) await end(core, projectId, contactIds, before);
  }
  await ContactErasureModel.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return rows.length;
}

/** Extends the instant of contacts that are still gone: rows written while transactions were in flight belong to them. */
async function withInFlight(rows: readonly ContactErasure[]): Promise<readonly ContactErasure[]> {
  const filter = { _id: { $in: rows.map(({ contactId }) => contactId) }, projectId: ofProjects(rows) };
  const found = await ContactModel.find(filter, { _id: 1 }).lean<{ _id: string }[]>();
  const anew = new Set(found.map(({ _id }) => _id));
  return rows.map((row) => (anew.has(row.contactId) ? row : { ...row, before: new Date(row.before.getTime() + IN_FLIGHT_MS) }));
}
