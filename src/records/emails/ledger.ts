import type { AnyBulkWriteOperation, Document, UpdateFilter } from 'mongodb';
import type { ClientSession } from 'mongoose';
import { insertRows } from '../../platform/mongo';
import type { EmailEvent } from '../events';
import { contentGoing } from './content';
import { DUE_INDEX, EmailModel } from './model';
import type { Attempt, Email } from './model';
import { toEmail, toRow } from './row';
import type { EmailRow } from './row';

/** No project gets further than so many messages ahead of the others. */
export const PROJECT_SHARE = 100;
const PAGE = 1_000;

const emails = () => EmailModel.collection;

/** Writes accepted messages into the ledger, in the transaction of their acceptance. */
export async function insertEmails(session: ClientSession, rows: readonly Email[]): Promise<void> {
  await insertRows(EmailModel, rows.map((email) => toRow(email)) as Email[], session);
}

/** A page of due messages. */
export interface DuePage {
  readonly due: readonly Email[];
  /** Where the following page begins; empty when there is none. */
  readonly next: string;
  /** More of its projects may be due than it has. */
  readonly partial: boolean;
}

/** Finds due messages of a shard, at most 100 of each project, transactional before workflow mail, without `known` ones. */
export async function findDue(shard: number, now: Date, after: string, known: readonly string[]): Promise<DuePage> {
  const few = await readDue({ shard, projectId: { $gt: after } }, now, known);
  // Fewer than a full share means that there is no more, of any project.
  if (few.length < PROJECT_SHARE) return { due: few, next: '', partial: false };
  const only = few[0]?.projectId === few.at(-1)?.projectId ? few[0]?.projectId : undefined;
  const due = only === undefined ? [] : few;
  let project = only ?? after;
  while (due.length < PAGE) {
    const filter = { shard, projectId: { $gt: project }, dueAt: { $lte: now } };
    const head = await emails().findOne(filter, { hint: DUE_INDEX, projection: { projectId: 1 } });
    if (!head) return { due, next: '', partial: true };
    project = head['projectId'] as string;
    due.push(...(await readDue({ shard, projectId: project }, now, known)));
  }
  return { due, next: project, partial: true };
}

interface Whose {
  readonly shard: number;
  readonly projectId: string | { readonly $gt: string };
}

async function readDue(whose: Whose, now: Date, known: readonly string[]): Promise<Email[]> {
  const rows = await emails()
    .find<EmailRow>(
      {
        ...whose,
        priority: { $in: [0, 1] },
        dueAt: { $lte: now },
        ...(known.length > 0 && { _id: { $nin: [...known] } }),
      } as never,
      { hint: DUE_INDEX, limit: PROJECT_SHARE },
    )
    .toArray();
  return rows.map(toEmail);
}

/** Reads up to a full share of what is due of a message's project and priority, behind the place of that message. */
export async function findDueBehind({ shard, projectId, priority, dueAt, _id }: Email, now: Date): Promise<Email[]> {
  const rows = await emails()
    .find<EmailRow>({ shard, projectId, priority, dueAt: { $lte: now } }, { hint: DUE_INDEX, limit: PROJECT_SHARE + 1 })
    .min({ shard, projectId, priority, dueAt, _id })
    .toArray();
  // The place itself is found too, as long as it is unclaimed.
  return rows
    .filter((row) => row._id !== _id)
    .slice(0, PROJECT_SHARE)
    .map(toEmail);
}

/** Resolves to when the next message of the shard is due, or null. Reads the index alone, one entry for each message that waits. */
export async function nextDueAt(shard: number): Promise<Date | null> {
  const [row] = await emails()
    .aggregate<{ due: Date }>([{ $match: { shard, dueAt: { $exists: true } } }, { $group: { _id: null, due: { $min: '$dueAt' } } }], {
      hint: DUE_INDEX,
    })
    .toArray();
  return row?.due ?? null;
}

/** Shards with mail that has been due since before `since`. */
export async function overdueShards(shards: number, since: Date): Promise<readonly number[]> {
  const heads = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      emails().findOne({ shard, projectId: { $gt: '' }, dueAt: { $lt: since } }, { hint: DUE_INDEX, projection: { _id: 1 } }),
    ),
  );
  return heads.flatMap((head, shard) => (head ? [shard] : []));
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

/** Lets messages that wait do so until an instant, without an attempt. */
export async function putOff(ids: readonly string[], dueAt: Date, error: string): Promise<void> {
  await emails().updateMany({ _id: { $in: [...ids] as never[] }, status: 'queued' }, { $set: { dueAt, error } });
}

/** Resolves to what an attempt has claimed: asked after a claim whose answer was lost, or which took a part only. */
export async function claimed({ id, worker }: Attempt): Promise<ReadonlySet<string>> {
  const rows = await emails()
    .find({ 'attempt.worker': worker, 'attempt.id': id, status: 'sending' }, { projection: { _id: 1 } })
    .toArray();
  return new Set(rows.map(({ _id }) => _id as unknown as string));
}

/** What became of a message in one attempt, as the ledger and the event log record it. */
export interface Outcome {
  /** As this attempt has it: `attempt` is the one that came to this. */
  readonly email: Email;
  readonly set: Partial<Email>;
  readonly events: readonly EmailEvent[];
  /** The address does not exist: suppress it, and count the bounce. */
  readonly hardBounce: boolean;
  readonly accepted: boolean;
}

/**
 * Records what became of messages, those with the same outcome in one statement. A message that was taken over after our lease is settled as long
 * as it has not been begun again. Resolves to how many were still ours.
 */
export async function settle(given: readonly Outcome[], session?: ClientSession): Promise<number> {
  const alike = sameOutcomes(given.map(withContentGoing));
  const settled = await write(
    alike.map((same) => ({ updateMany: { filter: ours(same), update: updateOf(same[0].set) } })),
    session,
  );
  const engaged = settled < given.length ? alike.filter(([{ set }]) => set.sentAt) : [];
  const raised = engaged.map((same) => ({ updateMany: { filter: engagedOf(same), update: raisedUpdateOf(same[0].set) } }));
  return settled + (await write(raised, session));
}

/** Removes the content of a message that is over, where its sender wants it so: one write for both, so that no crash comes between. */
function withContentGoing(outcome: Outcome): Outcome {
  const { email, set } = outcome;
  const going = set.status === undefined || set.status === 'queued' ? null : contentGoing(email);
  return going === null ? outcome : { ...outcome, set: { ...set, ...going } };
}

const attemptOf = ({ email }: Outcome): string => email.attempt?.id ?? '';

/** Finds the outcomes of messages that no other worker has begun since. */
export async function notBegunAgain(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const attempts = outcomes.map((outcome) => ({ _id: outcome.email._id, 'attempt.id': attemptOf(outcome) }));
  const rows = await emails()
    .find({ $or: attempts as never[] }, { projection: { _id: 1 } })
    .toArray();
  const ids = new Set(rows.map(({ _id }) => _id as unknown as string));
  return outcomes.filter(({ email }) => ids.has(email._id));
}

type SameOutcome = readonly [Outcome, ...Outcome[]];

async function write(statements: readonly AnyBulkWriteOperation[], session: ClientSession | undefined): Promise<number> {
  if (statements.length === 0) return 0;
  return (await emails().bulkWrite([...statements], { ordered: false, ...(session && { session }) })).matchedCount;
}

const unsettled = (same: SameOutcome): Document => ({
  _id: { $in: same.map(({ email }) => email._id) },
  'attempt.id': { $in: [...new Set(same.map(attemptOf))] },
  status: { $in: ['sending', 'queued'] },
});

/** An open or a click that was recorded before the delivery raises the status that the delivery brings: such messages are few, and dearer to write. */
const ours = (same: SameOutcome): Document => ({ ...unsettled(same), ...(same[0].set.sentAt && { openedAt: null }) });
const engagedOf = (same: SameOutcome): Document => ({ ...unsettled(same), openedAt: { $ne: null } });

/** Nulls are not said in a row. */
function updateOf(set: Partial<Email>): UpdateFilter<Document> {
  const unsaid = Object.keys(set).filter((name) => set[name as keyof Email] === null);
  if (!set.dueAt) unsaid.push('dueAt');
  const said = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
  return { $set: said, ...(unsaid.length > 0 && { $unset: Object.fromEntries(unsaid.map((name) => [name, ''])) }) };
}

function raisedUpdateOf({ status, ...rest }: Partial<Email>): Document[] {
  const literals = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, { $literal: value }]));
  const raised = { $cond: [{ $gt: ['$clickedAt', null] }, 'clicked', 'opened'] };
  return [{ $set: { ...literals, status: status === 'sent' || status === 'delivered' ? raised : status } }, { $unset: 'dueAt' }];
}

/** Groups messages of one flush that end alike, with one instant: it differs from their own by milliseconds. */
function sameOutcomes(outcomes: readonly Outcome[]): readonly SameOutcome[] {
  const groups = new Map<string, [Outcome, ...Outcome[]]>();
  for (const outcome of outcomes) {
    const { sentAt, deliveredAt, bouncedAt, ...rest } = outcome.set;
    const key = JSON.stringify([rest, sentAt ? 1 : 0, deliveredAt ? 1 : 0, bouncedAt ? 1 : 0]);
    const group = groups.get(key);
    if (group) group.push(outcome);
    else groups.set(key, [outcome]);
  }
  return [...groups.values()];
}

/** Stops messages that were due and must not go out any more. Resolves to whether all of them still waited. */
export async function withdraw(session: ClientSession, email: Email, error: string): Promise<boolean> {
  const { modifiedCount } = await emails().updateOne(
    { _id: email._id as never, status: 'queued' },
    updateOf({ ...contentGoing(email), status: 'cancelled', error }),
    { session },
  );
  return modifiedCount === 1;
}

/** Takes out of cancelled messages what they said, where their senders want it so. */
export async function forgetContents(session: ClientSession, cancelled: readonly Email[]): Promise<void> {
  const writes = cancelled.flatMap((email) => {
    const going = contentGoing(email);
    return going === null ? [] : [{ updateOne: { filter: { _id: email._id as never }, update: updateOf(going) } }];
  });
  await write(writes, session);
}

/** Workers that have messages on the wire, as far as the ledger knows. */
export const workersWithMail = async (): Promise<readonly string[]> =>
  (await emails().distinct('attempt.worker', { status: 'sending', 'attempt.worker': { $type: 'string' } })) as string[];

/** Claims of a worker, as the ledger knows them: all but those `except`, made up to `claimedBefore`. */
export interface Claims {
  readonly worker: string;
  readonly except: readonly string[];
  readonly claimedBefore: Date;
}

const onTheWire = ({ worker, except, claimedBefore }: Claims) => ({
  'attempt.worker': worker,
  status: 'sending',
  'attempt.id': { $nin: [...except] },
  'attempt.at': { $lte: claimedBefore },
});

/** Resolves to what a worker has on the wire. */
export const findClaimed = async (claims: Claims): Promise<readonly Email[]> =>
  (await emails().find<EmailRow>(onTheWire(claims)).toArray()).map(toEmail);

/**
 * Puts claimed messages back into the queue, those that are not settled meanwhile: in doubt, so sent again with the same Message-ID. They are due since they were
 * claimed, so that after a restore a fence recognises messages from before it.
 */
export async function giveBack(claims: Claims, ids: readonly string[]): Promise<void> {
  await emails().updateMany({ _id: { $in: [...ids] as never[] }, ...onTheWire(claims) }, [
    { $set: { status: 'queued', dueAt: '$attempt.at' } },
  ]);
}
