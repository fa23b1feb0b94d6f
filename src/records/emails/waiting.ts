import type { ClientSession } from 'mongoose';
import { sameRows } from '../../platform/mongo';
import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

/** Reads messages of some projects by their ids, in a transaction that is about to change them. */
export async function findEmails(session: ClientSession, projectIds: readonly string[], ids: readonly string[]): Promise<readonly Email[]> {
  const filter = { _id: { $in: [...ids] }, projectId: { $in: [...projectIds] } };
  return (await EmailModel.find(filter, null, { session, hint: '_id_' }).lean<EmailRow[]>()).map(toEmail);
}

/**
 * Marks messages, which the transaction has read, as cancelled, for a reason if it was not their sender who did it: they are due no more. One that a worker took
 * up since then aborts the transaction.
 */
export async function markCancelled(session: ClientSession, emails: readonly Email[], reason?: string): Promise<void> {
  const set = { status: 'cancelled' as const, ...(reason !== undefined && { error: reason }) };
  await EmailModel.updateMany(sameRows(emails), { $set: set, $unset: { dueAt: 1 } }, { session, hint: '_id_' });
}

/** Resolves to the statuses of messages that have a row. */
export async function statusesOf(
  session: ClientSession,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Email['status']>> {
  const filter = { _id: { $in: [...ids] }, projectId };
  const rows = await EmailModel.find(filter, { status: 1 }, { session, hint: '_id_' }).lean<Pick<Email, '_id' | 'status'>[]>();
  return new Map(rows.map(({ _id, status }) => [_id, status]));
}
