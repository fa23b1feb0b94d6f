import type { ClientSession } from 'mongoose';
import { EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

/** Reads messages of some projects by their ids, in a transaction that is about to change them. */
export async function findEmails(session: ClientSession, projectIds: readonly string[], ids: readonly string[]): Promise<readonly Email[]> {
  const filter = { _id: { $in: [...ids] }, projectId: { $in: [...projectIds] } };
  return (await EmailModel.find(filter, null, { session }).lean<EmailRow[]>()).map(toEmail);
}

/**
 * Marks messages, which the transaction has read, as cancelled, for a reason if it was not their sender who did it: they are due no more. One that a worker took
 * up since then aborts the transaction.
 */
export async function markCancelled(session: ClientSession, ids: readonly string[], reason?: string): Promise<void> {
  const set = { status: 'cancelled' as const, ...(reason !== undefined && { error: reason }) };
  await EmailModel.updateMany({ _id: { $in: [...ids] } }, { $set: set, $unset: { dueAt: 1 } }, { session });
}
