import type { ClientSession } from 'mongoose';
import type { StartIntent } from '../../contracts/processes';
import { snoozeChangedSignal, snoozeWorkflowId } from '../../contracts/contacts';
import type { EndSnoozeInput, SnoozeInput } from '../../contracts/contacts';
import type { Core } from '../../platform/core';
import { inTransaction } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { emit } from '../../records/events';
import { ContactModel } from './model';
import type { Contact } from './model';

/** The cause of the start or end of a pause. */
export interface SnoozeCause {
  readonly at: Date;
  readonly testMode: boolean;
  /** The message that the person answered. */
  readonly emailId: string | null;
}

const intentOf = ({ contactId, projectId }: SnoozeInput): StartIntent => ({
  kind: 'start',
  workflow: 'snooze',
  workflowId: snoozeWorkflowId(contactId),
  input: { contactId, projectId },
  summary: 'Pause of marketing mail to a contact',
  attributes: { projectId, contactId },
  again: true,
  lasts: true,
  signal: snoozeChangedSignal.name,
});

/**
 * Pauses marketing mail to a contact until an instant, or resumes it (null), within the caller's transaction; emits `contact.snoozed` or `contact.resumed`.
 * Does nothing where nothing changes.
 */
export async function snoozeContact(
  session: ClientSession,
  core: Pick<Core, 'processes' | 'log'>,
  { contactId, projectId }: SnoozeInput,
  until: Date | null,
  { at, testMode, emailId }: SnoozeCause,
): Promise<void> {
  const filter = { _id: contactId, projectId, snoozedUntil: until ? { $ne: until } : { $gt: at } };
  const update = until
    ? { $set: { snoozedUntil: until, updatedAt: at } }
    : { $unset: { snoozedUntil: '' as const }, $set: { updatedAt: at } };
  const { modifiedCount } = await ContactModel.collection.updateOne(filter, update, { session, hint: '_id_' });
  if (modifiedCount === 0) return;
  const event = { projectId, contactId, emailId, testMode, at };
  await emit(session, [
    until
      ? { ...event, name: 'contact.snoozed', data: { source: 'preferences', until: until.toISOString() } }
      : { ...event, name: 'contact.resumed', data: { source: 'preferences' } },
  ]);
  await wantNow(session, core, [intentOf({ contactId, projectId })]);
}

/** Ends a pause whose time has come, and emits `contact.resumed`. Resolves to the instant of one that lasts longer; null where there is none (any more). */
export function endSnooze({ contactId, projectId, now }: EndSnoozeInput): Promise<string | null> {
  const at = new Date(now);
  return inTransaction(async (session) => {
    const filter = { _id: contactId, projectId };
    const due = { ...filter, snoozedUntil: { $lte: at } };
    const ended = await ContactModel.collection.updateOne(
      due,
      { $unset: { snoozedUntil: '' as const }, $set: { updatedAt: at } },
      { session, hint: '_id_' },
    );
    if (ended.modifiedCount === 1) {
      await emit(session, [{ projectId, contactId, name: 'contact.resumed', data: { source: 'time' }, testMode: false, at }]);
      return null;
    }
    const contact = await ContactModel.collection.findOne<Pick<Contact, 'snoozedUntil'>>(filter, {
      session,
      projection: { snoozedUntil: 1 },
    });
    return contact?.snoozedUntil?.toISOString() ?? null;
  });
}

/** Resolves to whether a contact pauses no mail. */
export async function isSnoozeOver({ contactId, projectId }: SnoozeInput): Promise<boolean> {
  const filter = { _id: contactId, projectId, snoozedUntil: { $ne: null } };
  return (await ContactModel.collection.countDocuments(filter, { limit: 1 })) === 0;
}
