import type { ClientSession } from 'mongoose';
import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { sameRows } from '../../platform/mongo';
import { DEFERRED_INDEX, DUE_INDEX, TO_INDEX } from './indexes';
import { EmailModel } from './model';
import type { Email } from './model';
import { mailToRecipients } from './mail-to-recipients';
import { findMail } from './row';
import { domainOfRecipient } from './sent-by-domain';

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

/** Returns the filter of a project's live mail that waits for its limits, its time or its next attempt. */
const waitingOf = (projectId: string) => ({
  shard: { $in: SHARDS },
  projectId,
  dueAt: { $exists: true },
  status: 'queued',
  testMode: { $ne: true },
});

/** Returns the filter of such mail from addresses at a domain in ASCII form. */
const waitingFrom = (projectId: string, domain: string) => ({
  ...waitingOf(projectId),
  fromEmail: { $regex: `@${domain.replaceAll('.', '\\.')}$` },
});

/** Counts mail that waits to be sent from a domain. */
export const countWaitingFrom = (session: ClientSession, projectId: string, domain: string): Promise<number> =>
  emails().countDocuments(waitingFrom(projectId, domain), { session, hint: DUE_INDEX });

/** Finds some of it, in a transaction that is about to change it. */
export const findWaitingFrom = (session: ClientSession, projectId: string, domain: string, limit: number): Promise<Email[]> =>
  findMail(waitingFrom(projectId, domain), { session, hint: DUE_INDEX, limit });

/** Limit for `most` rows of a screen, which takes a second. */
const READ_MS = 30_000;

/** Counts a project's live messages that wait for one of these reasons, by reason; examines at most `most` that wait. */
export async function waitingBy(projectId: string, reasons: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
  if (reasons.length === 0) return new Map();
  const rows = await emails()
    .aggregate<{ readonly _id: string; readonly count: number }>(
      [
        { $match: waitingOf(projectId) },
        { $limit: most },
        { $match: { error: { $in: [...reasons] } } },
        { $group: { _id: '$error', count: { $sum: 1 } } },
      ],
      { hint: DUE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();
  return new Map(rows.map(({ _id, count }) => [_id, count]));
}

/** Lists the domains to which live mail of a project waits whose time has come, most mail first; examines at most `most` messages that wait. */
export async function waitingDomains(projectId: string, now: Date, most: number, domains: number): Promise<readonly string[]> {
  const rows = await emails()
    .aggregate<{ readonly _id: string }>(
      [
        { $match: waitingOf(projectId) },
        { $limit: most },
        { $match: { scheduledFor: { $not: { $gt: now } }, erased: { $ne: true } } },
        { $group: { _id: domainOfRecipient, count: { $sum: 1 } } },
        { $sort: { count: -1, _id: 1 } },
        { $limit: domains },
      ],
      { hint: DUE_INDEX, maxTimeMS: READ_MS },
    )
    .toArray();
  return rows.map(({ _id }) => _id);
}

type Waiting = Pick<Email, '_id' | 'projectId' | 'dueAt'>;

/** Finds messages that wait for another attempt, soonest first. Reads the index alone. */
export const findDeferred = (limit: number): Promise<readonly Waiting[]> =>
  EmailModel.collection
    .find<Waiting>(
      { status: 'queued', attempts: { $gt: 0 }, dueAt: { $gt: new Date(0) } },
      { hint: DEFERRED_INDEX, limit, sort: { dueAt: 1 }, projection: { _id: 1, projectId: 1, dueAt: 1 } },
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
