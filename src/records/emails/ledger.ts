import type { ClientSession } from 'mongoose';
import { inOneAnswer, insertRows, sameRows } from '../../platform/mongo';
import { updateOf, write } from './attempts';
import { contentGoing } from './content';
import type { RowEvents } from './history';
import { DUE_PRIORITIES, EmailModel } from './model';
import { DUE_INDEX } from './indexes';
import type { Email } from './model';
import { HEAVY, findMail, toRow } from './row';
import type { EmailRow } from './row';

/** Limit for the messages by which a project may be ahead of the others. */
export const PROJECT_SHARE = 100;
const PAGE = 1_000;

const emails = () => EmailModel.collection;

/** Writes accepted messages into the ledger, in the transaction of their acceptance, with what their rows hold of events. */
export async function insertEmails(session: ClientSession, emails: readonly Email[], held: RowEvents = {}): Promise<void> {
  await insertRows(EmailModel, emails.map((email) => Object.assign(toRow(email), held)) as Email[], session);
}

/** A page of due messages. */
export interface DuePage {
  readonly due: readonly Email[];
  /** Start of the next page; empty if there is none. */
  readonly next: string;
  /** More of its projects may be due than it has. */
  readonly partial: boolean;
}

/** The messages that a search for due ones omits. */
export interface Known {
  readonly ids: readonly string[];
  /** Projects of which enough are known. */
  readonly crowding: readonly string[];
}

/** Finds due messages of a shard, at most 100 of each project, transactional before workflow mail, without `known` ones. */
export async function findDue(shard: number, now: Date, after: string, known: Known): Promise<DuePage> {
  const behind = (projectId: string): Whose['projectId'] => ({
    $gt: projectId,
    ...(known.crowding.length > 0 && { $nin: known.crowding }),
  });
  const few = await readDue({ shard, projectId: behind(after) }, now, known.ids);
  // Fewer than a full share means that there is no more, of any project.
  if (few.length < PROJECT_SHARE) return { due: few, next: '', partial: false };
  const only = few[0]?.projectId === few.at(-1)?.projectId ? few[0]?.projectId : undefined;
  const due = only === undefined ? [] : few;
  let project = only ?? after;
  while (due.length < PAGE) {
    const filter = { shard, projectId: behind(project), priority: { $in: DUE_PRIORITIES }, dueAt: { $lte: now } };
    const head = await emails().findOne(filter, { hint: DUE_INDEX, projection: { projectId: 1 } });
    if (!head) return { due, next: '', partial: true };
    project = head['projectId'] as string;
    due.push(...(await readDue({ shard, projectId: project }, now, known.ids)));
  }
  return { due, next: project, partial: true };
}

interface Whose {
  readonly shard: number;
  readonly projectId: string | { readonly $gt: string; readonly $nin?: readonly string[] };
}

function readDue(whose: Whose, now: Date, known: readonly string[]): Promise<Email[]> {
  const due = { ...whose, priority: { $in: DUE_PRIORITIES }, dueAt: { $lte: now }, ...(known.length > 0 && { _id: { $nin: [...known] } }) };
  return findMail(due, { hint: DUE_INDEX, limit: PROJECT_SHARE });
}

/** Reads up to a full share of what is due of a message's project and priority, after that message. */
export async function findDueBehind({ shard, projectId, priority, dueAt, _id }: Email, now: Date): Promise<Email[]> {
  const min = { shard, projectId, priority, dueAt, _id };
  const found = await findMail({ shard, projectId, priority, dueAt: { $lte: now } }, { hint: DUE_INDEX, min, limit: PROJECT_SHARE + 1 });
  // The message itself is found too, as long as it is unclaimed.
  return found.filter((email) => email._id !== _id).slice(0, PROJECT_SHARE);
}

/** Lets messages that wait do so until an instant, without an attempt. */
export async function putOff(waiting: readonly Email[], dueAt: Date, error: string): Promise<void> {
  await emails().updateMany({ ...sameRows(waiting), status: 'queued' }, { $set: { dueAt, error } }, { hint: '_id_' });
}

/** Stops messages that were due and must not go out any more. Resolves to whether all of them still waited. */
export async function withdraw(session: ClientSession, email: Email, error: string): Promise<boolean> {
  const { modifiedCount } = await emails().updateOne(
    { _id: email._id, projectId: email.projectId, status: 'queued' },
    updateOf({ ...contentGoing(email), status: 'cancelled', error }),
    { session, hint: '_id_' },
  );
  return modifiedCount === 1;
}

/** Takes out of cancelled messages what they said, where their senders want it so. */
export async function forgetContents(session: ClientSession, cancelled: readonly Email[]): Promise<void> {
  const writes = cancelled.flatMap((email) => {
    const going = contentGoing(email);
    return going === null
      ? []
      : [{ updateOne: { filter: { _id: email._id as never, projectId: email.projectId }, update: updateOf(going), hint: '_id_' } }];
  });
  await write(writes, session);
}

/** Resolves to the workers that have messages on the wire, as far as the ledger knows. */
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
export const findClaimed = (claims: Claims): Promise<readonly Email[]> => findMail(onTheWire(claims));

/**
 * Puts claimed messages back into the queue, except those settled meanwhile: they are in doubt, so they are sent again with the same
 * Message-ID. They are due since they were claimed, so that after a restore a fence recognizes messages from before it.
 */
export async function giveBack(claims: Claims, claimed: readonly Email[]): Promise<void> {
  await emails().updateMany(
    { ...sameRows(claimed), ...onTheWire(claims) },
    [{ $set: { status: 'queued', dueAt: '$attempt.at', 'attempt.lost': true } }],
    {
      hint: '_id_',
    },
  );
}

/** Writes messages as they are after their attempt. Resolves to the positions of those that already exist. */
export const insertWrittenRows = (rows: readonly WrittenRow[]): Promise<readonly number[]> =>
  insertRows(EmailModel, rows as readonly Email[]);

export type WrittenRow = EmailRow & RowEvents;

/** Finds existing rows of messages by their ids, without contents. */
export const findWritten = (projectId: string, ids: readonly string[]): Promise<WrittenRow[]> =>
  EmailModel.collection
    .find<WrittenRow>({ _id: { $in: [...ids] }, projectId }, { projection: HEAVY, hint: '_id_', ...inOneAnswer(ids.length) })
    .toArray();
