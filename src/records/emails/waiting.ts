import type { ClientSession } from 'mongoose';
import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { sameRows } from '../../platform/mongo';
import { DEFERRED_INDEX, DUE_INDEX, TO_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';
import { mailToRecipients } from './mail-to-recipients';
import { findMail } from './row';

/** Reads messages of some projects by their ids, in a transaction that is about to change them. */
export function findEmails(session: ClientSession, projectIds: readonly string[], ids: readonly string[]): Promise<readonly Email[]> {
  const filter = { _id: { $in: [...ids] }, projectId: { $in: [...projectIds] } };
  return findMail(filter, { session, hint: '_id_' });
}

/**
 * Marks messages, which the transaction has read, as cancelled, for a reason if it was not their sender who did it: they are due no more. One that a worker took
 * up since then aborts the transaction.
 */
export async function markCancelled(session: ClientSession, emails: readonly Email[], reason?: string): Promise<void> {
  const set = { status: 'cancelled' as const, ...(reason !== undefined && { error: reason }) };
  await EmailModel.collection.updateMany(sameRows(emails), { $set: set, $unset: { dueAt: 1 } }, { session, hint: '_id_' });
}

const emails = () => EmailModel.collection;

const SHARDS = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => shard);

/**
 * Returns the filter of a project's live mail that waits for its limits, its time or its next attempt, from addresses at a domain in
 * ASCII form.
 */
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
export const findWaitingFrom = (session: ClientSession, projectId: string, domain: string, limit: number): Promise<Email[]> =>
  findMail(waitingFrom(projectId, domain), { session, hint: DUE_INDEX, limit });

type Waiting = Pick<Email, '_id' | 'projectId' | 'dueAt'>;

/** Finds messages that wait for another attempt, soonest first. Reads the index alone. */
export const findDeferred = (limit: number): Promise<readonly Waiting[]> =>
  EmailModel.collection
    .find<Waiting>(
      { status: 'queued', attempts: { $gt: 0 }, dueAt: { $gt: new Date(0) } },
      {
        ...{ hint: DEFERRED_INDEX, limit, sort: { dueAt: 1 } },
        projection: { _id: 1, projectId: 1, dueAt: 1 },
      },
    )
    .toArray();

/** Finds those of some messages that are under way with an attempt. */
export const findUnderWay = (projectIds: readonly string[], ids: readonly string[]): Promise<readonly Waiting[]> =>
  EmailModel.find({ _id: { $in: ids }, projectId: { $in: projectIds }, status: 'sending' }, { projectId: 1 }, { hint: '_id_' }).lean<
    Waiting[]
  >();
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

interface People {
  readonly projectId: string;
  readonly contactIds: readonly string[];
  readonly addresses: readonly string[];
}

/** Resolves to the messages to people that are due at an instant and not claimed; those of campaigns, which are retries, only to contacts. */
export async function dueFor({ projectId, contactIds, addresses }: People, at: Date): Promise<readonly Email[]> {
  const due = { status: 'queued', dueAt: { $lte: at } };
  const single = await findMail({ projectId, to: { $in: addresses }, ...due }, { hint: TO_INDEX });
  return [...single, ...(await mailToRecipients({ projectId, contactIds }, due))];
}
