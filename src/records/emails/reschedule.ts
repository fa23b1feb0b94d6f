import type { ClientSession } from 'mongoose';
import type { Context, Core } from '../../platform/core';
import type { Intent } from '../../contracts/processes';
import type { Values } from '../../message/template';
import { invalidState, notFound } from '../../platform/core';
import { perDatabase, together } from '../../platform/mongo';
import { startNow, want, wantNow } from '../../platform/outbox';
import { contentOf, keepUntil } from './content';
import { EmailModel, PRIORITY_OF } from './model';
import type { Email } from './model';
import { findEmail } from './find';
import { isScheduled, minutesLeft, minutesOf } from './scheduled';
import { systemValues } from './urls';
import { findEmails } from './waiting';
import type { UrlCore } from './urls';

/** A message that is to go out at another time. */
interface Move {
  readonly projectId: string;
  readonly id: string;
  readonly sendAt: Date;
  readonly subject: string;
}

interface Moved {
  readonly before: Email;
  readonly email: Email;
}

type Outcome = { readonly moved: Moved } | { readonly refused: Error };

/**
 * Moves a scheduled message that no worker has claimed to another time, earlier or later; without `sendAt` it stays unchanged.
 * Throws `not_found`, and `invalid_state` for a message that does not wait for its time any more: it is sent, or ended otherwise.
 */
export async function rescheduleEmail(ctx: Context, id: string, sendAt: Date | undefined): Promise<Email> {
  const { projectId, core } = ctx;
  const found = await findEmail(projectId, id);
  if (!found) throw notFound('Email');
  if (sendAt === undefined) return found;
  if (!isMovable(found)) throw notWaiting(found);
  // Before the move: what the message is made of is kept for it by then, wherever a crash comes.
  await keepUntil(found, sendAt);
  const subject = await subjectAt(core, found, sendAt);
  const outcome = await moveTogether()([`scheduled/${projectId}`], { projectId, id, sendAt, subject });
  if ('refused' in outcome) throw outcome.refused;
  const { moved } = outcome;
  startNow(core, intentsOf([moved]));
  return moved.email;
}

/** Resolves to the subject that a message has when it goes out at another time: it may name the year. */
async function subjectAt(core: UrlCore, email: Email, sendAt: Date): Promise<string> {
  const content = await contentOf(email);
  if (!content.hasOwnSubjects) return email.subject;
  return content.subject(JSON.parse(email.values) as Values, systemValues(core, { ...email, scheduledFor: sendAt }));
}

const moveTogether = perDatabase(() =>
  together(async (session, moves: readonly Move[]): Promise<readonly Outcome[]> => {
    const [ids, projectIds] = [moves.map(({ id }) => id), [...new Set(moves.map(({ projectId }) => projectId))]];
    const found = new Map((await findEmails(session, projectIds, ids)).map((email) => [email._id, email]));
    const outcomes = moves.map(({ id, sendAt, subject }): Outcome => {
      const before = found.get(id);
      if (!before) return { refused: notFound('Email') };
      if (!isMovable(before)) return { refused: notWaiting(before) };
      const email: Email = { ...before, subject, scheduledFor: sendAt, dueAt: sendAt, priority: PRIORITY_OF.scheduled, error: null };
      found.set(id, email);
      return { moved: { before, email } };
    });
    const moved = outcomes.flatMap((outcome) => ('moved' in outcome ? [outcome.moved] : []));
    await moveAll(session, moved);
    await want(session, intentsOf(moved));
    return outcomes;
  }),
);

/** Returns whether a message may be moved; one without a time is held for the operator since a restore (docs/operating.md). */
const isMovable = (email: Email): boolean => isScheduled(email) && email.dueAt !== undefined;

const notWaiting = ({ status }: Email): Error =>
  invalidState(`Only a scheduled message that waits for its time can be moved; this one is ${status}`);

/** Moves messages that the transaction has read: one that a worker took up since then aborts it, and is read again. */
async function moveAll(session: ClientSession, moved: readonly Moved[]): Promise<void> {
  if (moved.length === 0) return;
  await EmailModel.collection.bulkWrite(
    moved.map(({ email: { _id, projectId, subject, scheduledFor, dueAt, priority } }) => ({
      updateOne: {
        filter: { _id, projectId },
        update: { $set: { subject, scheduledFor, dueAt, priority }, $unset: { error: 1 } },
        hint: '_id_',
      },
    })),
    { session },
  );
}

/** Moves queued messages to a later instant, each to its own. */
export async function moveWaiting(session: ClientSession, core: Core, projectId: string, later: ReadonlyMap<string, Date>): Promise<void> {
  const found = await findEmails(session, [projectId], [...later.keys()]);
  const moved = found.flatMap((before): Moved[] => {
    const at = later.get(before._id);
    if (before.status !== 'queued' || !at) return [];
    return [{ before, email: { ...before, scheduledFor: at, dueAt: at, priority: PRIORITY_OF.scheduled } }];
  });
  await moveAll(session, moved);
  await wantNow(session, core, intentsOf(moved));
}

/** Returns intents for the new minutes of messages, which list them, and for the old ones, which check again. */
function intentsOf(moved: readonly Moved[]): readonly Intent[] {
  const entered = minutesOf(moved.map(({ email }) => email));
  const ids = new Set(entered.map(({ workflowId }) => workflowId));
  const left = minutesLeft(moved.map(({ before }) => before)).filter(({ workflowId }) => !ids.has(workflowId));
  return [...entered, ...left];
}
