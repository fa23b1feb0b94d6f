import type { ClientSession } from 'mongoose';
import { limitOf } from '../../platform/core';
import type { Core, ProjectFacts } from '../../platform/core';
import { inSequence, inTransaction } from '../../platform/mongo';
import type { ContactChange } from '../../rules/contact-change';
import { addMembers } from '../segments';
import { importTopics, settleMarketing } from '../topics';
import type { LeavingPerson } from '../topics';
import { findSuppressions, holdsOptOut } from '../../records/suppressions';
import type { Suppression } from '../../records/suppressions';
import { FieldRoom, changed, contactIdFor, dataFault, fieldsFull, findContacts, made, writeContacts } from '../contacts';
import type { ChangedContact, Contact } from '../contacts';
import { ContactImportModel } from './import-model';
import type { ContactImport, ImportPosition, RowCounts, RowError } from './import-model';
import { changeOfRow, topicsOfRow } from './import-row';

const MAX_ERRORS = 100;

/** A row with an address that mail can go to. */
export interface UsableRow {
  readonly row: number;
  readonly email: string;
  readonly cells: readonly string[];
}

/** Rows of a file that are applied together; no address is in two of them. */
export interface Batch {
  readonly from: ImportPosition;
  readonly to: ImportPosition;
  readonly rows: readonly UsableRow[];
  readonly skipped: number;
  readonly errors: readonly RowError[];
  /** Whether the file ends here. */
  readonly last: boolean;
}

type Project = Pick<ProjectFacts, '_id' | 'idSalt' | 'limits'>;

interface RowChange extends ChangedContact {
  readonly row: number;
  /** Null where the file has no column of a topic. */
  readonly topics: ReadonlyMap<string, boolean> | null;
}

interface Outcome {
  readonly changes: readonly RowChange[];
  readonly errors: readonly RowError[];
}

/** The attempt was considered lost and another one continues, or the import has ended. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** One attempt at an import. */
interface Attempt {
  readonly job: ContactImport;
  readonly project: Project;
  readonly runner: string;
}

/**
 * Applies a batch: contacts, their events, counts of fields, members of the segment, and the import's counters and position, all or
 * nothing. The filter holds the position and the attempt, so that no row is applied or counted twice. What campaigns
 * and the queue hold for those who unsubscribed or left a topic by it is then taken back. Throws `Superseded`.
 *
 * | killed                       | found                                  | what happens                                          |
 * | ---------------------------- | -------------------------------------- | ----------------------------------------------------- |
 * | before the commit            | the position before the batch          | the next attempt reads the same rows again            |
 * | after the commit             | the position after the batch           | the next attempt continues after it                  |
 * | not at all, but taken for it | another `runner`                       | its batch matches nothing and is dropped as a whole   |
 * | after the last batch         | `completed`, the file still there      | the next attempt deletes the file                     |
 */
export async function applyBatch(core: Pick<Core, 'config'>, attempt: Attempt, batch: Batch): Promise<ContactImport> {
  const { _id: projectId } = attempt.project;
  const applied = await inSequence(`contact-import ${projectId}`, () => inTransaction((session) => apply(session, core, attempt, batch)));
  await settleMarketing(core, projectId, applied.left);
  return applied.job;
}

async function apply(
  session: ClientSession,
  { config }: Pick<Core, 'config'>,
  { job, project, runner }: Attempt,
  batch: Batch,
): Promise<{ readonly job: ContactImport; readonly left: readonly LeavingPerson[] }> {
  const at = new Date();
  const outcome = await withinRoom(session, project, limitOf(config, project, 'fields'), await outcomeOf(session, job, project, batch, at));
  const after = await advance(session, job, runner, batch, outcome, at);
  const cause = { testMode: job.testMode, at, ...(!job.enrols && { enrols: false as const }) };
  await writeContacts(session, project._id, outcome.changes, { ...cause, source: 'import' });
  const wanted = outcome.changes.flatMap(({ after: { _id: contactId }, topics }) =>
    topics !== null && topics.size > 0 ? [{ contactId, topics }] : [],
  );
  const leftTopics = await importTopics(session, project._id, wanted, cause);
  const contacts = outcome.changes.map((change) => change.after);
  const { projectId, segmentId } = job;
  if (segmentId !== null && contacts.length > 0) await addMembers(session, { projectId, segmentId }, contacts, cause);
  const left = outcome.changes.filter(({ turned, after: { _id } }) => turned === 'unsubscribed' || leftTopics.has(_id));
  return { job: after, left: left.map(({ after: { _id, email } }) => ({ contactId: _id, address: email })) };
}

/** Moves the position first, so that two attempts at one batch conflict here and not in the contacts. */
async function advance(
  session: ClientSession,
  { _id, projectId }: ContactImport,
  runner: string,
  batch: Batch,
  outcome: Outcome,
  at: Date,
): Promise<ContactImport> {
  const created = outcome.changes.filter(({ before }) => before === null).length;
  const errors = [...batch.errors, ...outcome.errors].sort((a, b) => a.row - b.row);
  const $inc: RowCounts = { created, updated: outcome.changes.length - created, skipped: batch.skipped, failed: errors.length };
  const after = await ContactImportModel.findOneAndUpdate(
    { _id, projectId, status: 'processing', runner, 'position.offset': batch.from.offset, 'position.row': batch.from.row },
    {
      $set: { position: batch.to, movedAt: at, ...(batch.last && { status: 'completed', finishedAt: at }) },
      $inc,
      $push: { errors: { $each: errors.slice(0, MAX_ERRORS), $slice: MAX_ERRORS } },
    },
    { session, returnDocument: 'after' },
  ).lean<ContactImport>();
  if (!after) throw new Superseded();
  return after;
}

async function outcomeOf(session: ClientSession, job: ContactImport, project: Project, { rows }: Batch, at: Date): Promise<Outcome> {
  const ids = rows.map(({ email }) => contactIdFor(project, email));
  const emails = rows.map(({ email }) => email);
  const contacts = await findContacts(project._id, ids, session);
  const suppressions = await findSuppressions(project._id, project.idSalt, emails, session);
  const choosesTopics = job.columns.some((column) => column.startsWith('topic.'));
  const changes: RowChange[] = [];
  const errors: RowError[] = [];
  for (const [index, { row, email, cells }] of rows.entries()) {
    const _id = ids[index] as string;
    const current = contacts.get(_id) ?? null;
    const optedOut = hasOptedOut(current, suppressions.get(email));
    const change = protectedFrom(changeOfRow(job.columns, cells, current), optedOut);
    const outcome = current ? changed(current, change, at) : made({ _id, projectId: project._id, email }, change, at, optedOut);
    const fault = outcome.after.data === (current?.data ?? null) ? null : dataFault(outcome.after.data);
    if (fault) errors.push({ row, email, message: fault.message });
    else changes.push({ ...outcome, row, topics: choosesTopics ? topicsOfRow(job.columns, cells) : null });
  }
  return { changes, errors };
}

/** Refuses rows whose fields find no room, each as a whole. */
async function withinRoom(session: ClientSession, { _id }: Project, maxFields: number, { changes, errors }: Outcome): Promise<Outcome> {
  const room = await FieldRoom.open(session, _id, maxFields, changes);
  const refused = changes.filter((change) => !room.take(change));
  await room.close(session);
  if (refused.length === 0) return { changes, errors };
  const { message } = fieldsFull(maxFields);
  const full = refused.map(({ row, after }) => ({ row, email: after.email, message }));
  return { changes: changes.filter((change) => !refused.includes(change)), errors: [...errors, ...full] };
}

/** Returns whether a contact opted out: by link, one click, mail, complaint, or an explicit `subscribed: false`. */
const hasOptedOut = (contact: Contact | null, record: Suppression | undefined): boolean =>
  (contact?.optedOutAt ?? null) !== null || record?.reason === 'complaint' || holdsOptOut(record);

/** Removes `subscribed` for contacts that opted out: a file does not subscribe them. */
const protectedFrom = (change: ContactChange, optedOut: boolean): ContactChange =>
  change.subscribed === true && optedOut ? { ...change, subscribed: undefined } : change;
