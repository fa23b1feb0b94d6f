import type { ClientSession } from 'mongoose';
import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { EmailModel } from './model';
import { DUE_INDEX } from './indexes';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

const emails = () => EmailModel.collection;

const SHARDS = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => shard);

/** Live mail of a project that waits for its turn, its time or its next attempt, from addresses at a domain in ASCII form. */
const waitingFrom = (projectId: string, domain: string) => ({
  shard: { $in: SHARDS },
  projectId,
  dueAt: { $exists: true },
  status: 'queued',
  testMode: { $ne: true },
  fromEmail: { $regex: `@${domain.replaceAll('.', '\\.')}$` },
});

/** Counts mail that waits to be sent from a domain. */
export const countWaitingFrom = (session: ClientSession, projectId: string, domain: string): Promise<number> =>
  emails().countDocuments(waitingFrom(projectId, domain), { session, hint: DUE_INDEX });

/** Finds some of it, in a transaction that is about to change it. */
export async function findWaitingFrom(session: ClientSession, projectId: string, domain: string, limit: number): Promise<Email[]> {
  const rows = await emails().find<EmailRow>(waitingFrom(projectId, domain), { session, hint: DUE_INDEX, limit }).toArray();
  return rows.map(toEmail);
}
