import type { ClientSession } from 'mongoose';
import type { ProjectFacts } from '../../platform/core';
import { findSuppressions, forgetOptOut, holdsOptOut } from '../../records/suppressions';

/** Forgets the opt-outs of people who subscribed again, in the transaction that says so. */
export async function forgetOptOuts(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  emails: readonly string[],
): Promise<void> {
  if (emails.length === 0) return;
  const records = await findSuppressions(project._id, project.idSalt, emails, session);
  for (const email of emails) {
    if (holdsOptOut(records.get(email))) await forgetOptOut(session, project, email);
  }
}
