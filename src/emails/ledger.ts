import type { AnyBulkWriteOperation } from 'mongodb';
import type { ClientSession } from 'mongoose';
import { EmailModel } from './model';
import type { Attempt, Email } from './model';

const DUE_INDEX = { shard: 1, projectId: 1, priority: 1, dueAt: 1 } as const;
const NEXT_INDEX = { shard: 1, dueAt: 1 } as const;

/** No project gets further than so many messages ahead of the others. */
const PROJECT_TURN = 100;
const PAGE = 1_000;

const emails = () => EmailModel.collection;

/** Writes accepted messages into the ledger, in the transaction of their acceptance. */
export async function insertEmails(session: ClientSession, rows: readonly Email[]): Promise<void> {
  if (rows.length > 0) await emails().insertMany(rows as never, { session, ordered: true });
}

/** Due messages of a shard, at most 100 of each project in turn, transactional before workflow mail; `next` is where the following page begins. */
export async function findDue(shard: number, now: Date, after: string): Promise<{ readonly due: Email[]; readonly next: string }> {
  const due: Email[] = [];
  let project = after;
  while (due.length < PAGE) {
    const filter = { shard, projectId: { $gt: project }, dueAt: { $lte: now } };
    const head = await emails().findOne(filter, { hint: DUE_INDEX, projection: { projectId: 1 } });
    if (!head) return { due, next: '' };
    project = head['projectId'] as string;
    due.push(...(await turnOf(shard, project, now)));
  }
  return { due, next: project };
}

const turnOf = (shard: number, projectId: string, now: Date): Promise<Email[]> =>
  emails()
    .find<Email>({ shard, projectId, priority: { $in: [0, 1] }, dueAt: { $lte: now } }, { hint: DUE_INDEX, limit: PROJECT_TURN })
    .toArray();

/** When the next message of the shard is due, or null. */
export async function nextDueAt(shard: number): Promise<Date | null> {
  const row = await emails().findOne<Email>(
    { shard, dueAt: { $exists: true } },
    { hint: NEXT_INDEX, sort: { dueAt: 1 }, projection: { dueAt: 1 } },
  );
  return row?.dueAt ?? null;
}

/** Shards with mail that has been due since before `since`. */
export async function overdueShards(shards: number, since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(Array.from({ length: shards }, (_, shard) => nextDueAt(shard)));
  return heads.flatMap((due, shard) => (due && due < since ? [shard] : []));
}

/**
 * Marks messages as being on the wire, each only if it still waits and is due: a cancelled one, one that another pump took, and one that was tried
 * and put off since it was found are left out.
 * Resolves to the ids that are ours. `sending` without a record is what a lost worker leaves: at most one message per connection.
 */
export async function claim(ids: readonly string[], attempt: Attempt, now: Date): Promise<ReadonlySet<string>> {
  const { modifiedCount } = await emails().updateMany({ _id: { $in: [...ids] }, status: 'queued', dueAt: { $lte: now } } as never, {
    $set: { status: 'sending', attempt },
    $unset: { dueAt: '' },
    $inc: { attempts: 1 },
  });
  return modifiedCount === ids.length ? new Set(ids) : claimed(attempt);
}

/** What an attempt has claimed: asked after a claim whose answer was lost, or which took a part only. */
export async function claimed({ id, worker }: Attempt): Promise<ReadonlySet<string>> {
  const rows = await emails()
    .find({ 'attempt.worker': worker, 'attempt.id': id, status: 'sending' }, { projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => _id as unknown as string));
}

export interface Settlement {
  readonly email: Email;
  readonly attemptId: string;
  readonly set: Partial<Email>;
}

/**
 * Records what became of messages. A message that was taken over after our lease is settled as long as it has not been begun again.
 * Resolves to false, with nothing certain, when at least one was not ours any more: settle them one by one then.
 */
export async function settle(session: ClientSession, settlements: readonly Settlement[]): Promise<boolean> {
  const writes = settlements.map(({ email, attemptId, set }): AnyBulkWriteOperation => ({
    updateOne: {
      filter: { _id: email._id as never, 'attempt.id': attemptId, status: { $in: ['sending', 'queued'] } },
      update: set.dueAt ? { $set: set } : { $set: set, $unset: { dueAt: '' } },
    },
  }));
  const { matchedCount } = await emails().bulkWrite(writes, { session, ordered: false });
  return matchedCount === settlements.length;
}

/** Stops messages that were due and must not go out any more. Resolves to whether all of them still waited. */
export async function withdraw(session: ClientSession, email: Email, error: string): Promise<boolean> {
  const { modifiedCount } = await emails().updateOne(
    { _id: email._id as never, status: 'queued' },
    { $set: { status: 'cancelled', error }, $unset: { dueAt: '' } },
    { session },
  );
  return modifiedCount === 1;
}

/** Workers that have messages on the wire, as far as the ledger knows. */
export const workersWithMail = async (): Promise<readonly string[]> =>
  (await emails().distinct('attempt.worker', { status: 'sending', 'attempt.worker': { $type: 'string' } })) as string[];

/**
 * Gives back what a worker had on the wire: in doubt, so sent again with the same Message-ID. `except` names attempts that are still under way.
 * Resolves to the shards to wake.
 */
export async function takeOver(
  worker: string,
  now: Date,
  except: readonly string[] = [],
  claimedBefore: Date = now,
): Promise<readonly number[]> {
  const filter = {
    'attempt.worker': worker,
    status: 'sending',
    'attempt.id': { $nin: [...except] },
    'attempt.at': { $lte: claimedBefore },
  };
  const shards = (await emails().distinct('shard', filter)) as number[];
  if (shards.length > 0) await emails().updateMany(filter, { $set: { status: 'queued', dueAt: now } });
  return shards;
}
