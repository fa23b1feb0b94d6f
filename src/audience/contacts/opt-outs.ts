import type { ClientSession } from 'mongoose';
import type { ProjectFacts } from '../../platform/core';
import { findSuppressions, forgetOptOut, holdsOptOut, suppressAll } from '../../records/suppressions';
import type { NewSuppression } from '../../records/suppressions';
import type { Contact } from './model';

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

/** Keeps, in the transaction that removes contacts, that some of them were not subscribed: they come back as they went. */
export async function keepOptOuts(
  session: ClientSession,
  project: Pick<ProjectFacts, '_id' | 'idSalt'>,
  removed: readonly Contact[],
  at: Date,
): Promise<void> {
  const left = removed.filter(({ subscribed }) => !subscribed);
  const records = left.map(({ email }): NewSuppression => ({ email, reason: 'unsubscribe', source: 'api', at }));
  await suppressAll(session, project, records);
}
