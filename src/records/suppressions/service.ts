import { LRUCache } from 'lru-cache';
import type { ClientSession } from 'mongoose';
import type { Context, PageRequest, ProjectFacts } from '../../platform/core';
import { notFound, siblingId } from '../../platform/core';
import { erasedAddress, personId } from '../../platform/addresses';
import { containingAddress, inOneAnswer, inTransaction, newestFirst, perDatabase } from '../../platform/mongo';
import type { OfProjects, Page } from '../../platform/mongo';
import type { Keep } from '../../platform/idempotency';
import { emit } from '../events';
import type { NewEvent } from '../events';
import { NEWEST_INDEX, SuppressionModel } from './model';
import type { Suppression, SuppressionReason, OptOutLink, SuppressionSource } from './model';

export type { Suppression } from './model';

type ProjectKeys = Pick<ProjectFacts, '_id' | 'idSalt'>;

export interface SuppressionFilter {
  readonly reason?: SuppressionReason | undefined;
  /** Part of the address, in any case. */
  readonly search?: string | undefined;
}

const idFor = (salt: string, email: string): string => personId('sup', salt, email);

/** Resolves to the records of those addresses that have one, by address, in one query. */
export async function findSuppressions(
  projectId: string,
  salt: string,
  emails: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, Suppression>> {
  if (emails.length === 0) return new Map();
  const ids = new Map(emails.map((email) => [idFor(salt, email), email]));
  const found = await recordsOf(projectId, [...ids.keys()], session);
  return new Map(found.map((suppression) => [ids.get(suppression._id) ?? suppression.email, suppression]));
}

/** Resolves to the same for the addresses of contacts, by the contact's id, which is derived from its address as the record's is. */
export async function suppressionsOfContacts(
  projectId: string | OfProjects,
  contactIds: readonly string[],
  session?: ClientSession,
): Promise<ReadonlyMap<string, Suppression>> {
  if (contactIds.length === 0) return new Map();
  const found = await recordsOf(
    projectId,
    contactIds.map((id) => siblingId('sup', id)),
    session,
  );
  return new Map(found.map((suppression) => [siblingId('ctc', suppression._id), suppression]));
}

/** A list of this length is read whole: looking as many contacts up in it as a page of a campaign has costs the database several times as much. */
const SHORT_LIST = 300;
/** Time for which a project's list is known to be longer. */
const LONG_MS = 60_000;
const longLists = perDatabase(() => new LRUCache<string, true>({ max: 10_000, ttl: LONG_MS }));

/** Resolves to the suppressions of many contacts at once, by contact id. */
export async function suppressionsOfMany(projectId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, Suppression>> {
  const isLong = contactIds.length < SHORT_LIST || longLists().has(projectId);
  if (isLong) return suppressionsOfContacts(projectId, contactIds);
  const list = await SuppressionModel.collection
    .find<Suppression>({ projectId }, { limit: SHORT_LIST, hint: NEWEST_INDEX, ...inOneAnswer(SHORT_LIST) })
    .toArray();
  if (list.length < SHORT_LIST) return new Map(list.map((suppression) => [siblingId('ctc', suppression._id), suppression]));
  longLists().set(projectId, true);
  return suppressionsOfContacts(projectId, contactIds);
}

const recordsOf = (projectId: string | OfProjects, ids: readonly string[], session?: ClientSession): Promise<Suppression[]> =>
  SuppressionModel.collection
    .find<Suppression>({ _id: { $in: ids }, projectId }, { ...inOneAnswer(ids.length), ...(session && { session }) })
    .toArray();

/** Returns whether an address has opted out, be it behind a blocking reason. */
export const holdsOptOut = (record: Pick<Suppression, 'reason' | 'hiddenOptOut'> | null | undefined): boolean =>
  record?.reason === 'unsubscribe' || (record?.hiddenOptOut ?? null) !== null;

/**
 * Adds an address to the list, or joins the reason to the existing record. Resolves to whether the visible record was added or changed; an
 * opt-out behind a blocking reason is kept unseen. Runs in `inTransaction`, which decides races.
 */
export const suppress = async (session: ClientSession, project: ProjectKeys, given: NewSuppression): Promise<boolean> =>
  (await put(session, project, given)).changed;

/** Suppresses many addresses, in few queries. Resolves to how many records were added or changed. */
export async function suppressAll(session: ClientSession, project: ProjectKeys, given: readonly NewSuppression[]): Promise<number> {
  const records = await findSuppressions(
    project._id,
    project.idSalt,
    given.map(({ email }) => email),
    session,
  );
  const added = given.filter(({ email }) => !records.has(email)).map((each) => recordOf(project, each));
  if (added.length > 0) await SuppressionModel.collection.insertMany(added, { session });
  await emit(
    session,
    added.flatMap((suppression) => changeEvents(null, suppression, suppression.createdAt)),
  );
  let changed = added.length;
  for (const each of given) {
    if (records.has(each.email) && (await suppress(session, project, each))) changed += 1;
  }
  return changed;
}

/** Suppressions in a transaction. */
const CHUNK = 200;

/** Suppresses any number of addresses, no address twice, `CHUNK` in a transaction. Resolves to how many records were added or changed; a repetition changes nothing more. */
export async function suppressMany(project: ProjectKeys, given: readonly NewSuppression[]): Promise<number> {
  let changed = 0;
  for (let start = 0; start < given.length; start += CHUNK) {
    const chunk = given.slice(start, start + CHUNK);
    changed += await inTransaction((session) => suppressAll(session, project, chunk));
  }
  return changed;
}

interface Put {
  readonly suppression: Suppression;
  readonly changed: boolean;
}

async function put(session: ClientSession, project: ProjectKeys, given: NewSuppression): Promise<Put> {
  const _id = idFor(project.idSalt, given.email);
  const record = await SuppressionModel.findOne({ _id, projectId: project._id }, null, { session }).lean<Suppression>();
  if (!record) {
    const suppression = recordOf(project, given);
    await SuppressionModel.create([suppression], { session });
    await emit(session, changeEvents(null, suppression, given.at));
    return { suppression, changed: true };
  }
  const suppression = joined(record, given);
  if (suppression === record) return { suppression, changed: false };
  await replace(session, suppression);
  await emit(session, changeEvents(record, suppression, given.at));
  return { suppression, changed: suppression.reason !== record.reason };
}

// An opt-out has events of its own, of the contact and of the message.
const blocks = (record: Suppression | null): record is Suppression => record !== null && record.reason !== 'unsubscribe';

/** Lists the events of a change to the record of an address: that it is blocked from now on, or no longer. They have the id that the address has as a contact. */
function changeEvents(before: Suppression | null, after: Suppression | null, at: Date): readonly NewEvent[] {
  if (blocks(before) === blocks(after)) return [];
  const [name, record] = blocks(after)
    ? (['contact.suppressed', after] as const)
    : (['contact.unsuppressed', before as Suppression] as const);
  const { _id: suppressionId, projectId, reason, source } = record;
  return [{ projectId, name, contactId: siblingId('ctc', suppressionId), data: { suppressionId, reason, source }, testMode: false, at }];
}

const recordOf = (project: ProjectKeys, { email, reason, source, note, at, optOutLink = null }: NewSuppression): Suppression => ({
  _id: idFor(project.idSalt, email),
  projectId: project._id,
  email,
  reason,
  source,
  ...(note && { note }),
  createdAt: at,
  hiddenOptOut: null,
  optOutLink,
});

async function replace(session: ClientSession, record: Suppression): Promise<void> {
  const { _id, projectId, reason, source, note = null, hiddenOptOut, optOutLink } = record;
  await SuppressionModel.updateOne({ _id, projectId }, { $set: { reason, source, note, hiddenOptOut, optOutLink } }, { session });
}

/** Resolves to what a caller asks for. `added` is false when the address had a record that stays as it is. */
export async function addSuppression(
  ctx: Context,
  given: Pick<NewSuppression, 'email' | 'reason' | 'note'>,
): Promise<{ readonly suppression: Suppression; readonly added: boolean }> {
  const { suppression, changed } = await inTransaction((session) => put(session, ctx.project, { ...given, source: 'api', at: new Date() }));
  return { suppression, added: changed };
}

/** Suppresses the addresses of a list, of each the first row. Resolves to how many records were added or changed. */
export function importSuppressions(ctx: Context, rows: readonly Pick<NewSuppression, 'email' | 'reason' | 'note'>[]): Promise<number> {
  const at = new Date();
  const first = new Map(rows.toReversed().map((row) => [row.email, { ...row, source: 'import' as const, at }]));
  return suppressMany(ctx.project, [...first.values()].reverse());
}

/** Writes, replaces or with null removes the note of a record. `which` is an id or an address. Throws `not_found`. */
export async function noteSuppression(ctx: Context, which: string, note: string | null): Promise<Suppression> {
  const filter = { _id: suppressionId(ctx, which), projectId: ctx.projectId };
  const record = await SuppressionModel.findOneAndUpdate(filter, { $set: { note } }, { returnDocument: 'after' }).lean<Suppression>();
  if (!record) throw notFound('Suppression');
  return record;
}

/** Resolves to a page of the project's records, newest first. */
export function listSuppressions(ctx: Context, { reason, search }: SuppressionFilter, request: PageRequest): Promise<Page<Suppression>> {
  const filter = { projectId: ctx.projectId, ...(reason && { reason }), ...(search && { email: containingAddress(search) }) };
  return newestFirst(SuppressionModel, filter, request);
}

/** Resolves to the record of an address or of an id, or null. `which` is an address when it holds an `@`. */
export const findSuppression = (ctx: Context, which: string): Promise<Suppression | null> =>
  SuppressionModel.findOne({ _id: suppressionId(ctx, which), projectId: ctx.projectId }).lean<Suppression>();

/** Returns the id of an address, or the id that is given. */
export const suppressionId = (ctx: Context, which: string): string => (which.includes('@') ? idFor(ctx.project.idSalt, which) : which);

/** Removes the visible reason; an opt-out that it hid returns. `keep` gets the record as it was, in the same transaction. Throws `not_found`. */
export function liftSuppression(ctx: Context, which: string, keep?: Keep<Suppression>): Promise<void> {
  return inTransaction(async (session) => {
    const filter = { _id: suppressionId(ctx, which), projectId: ctx.projectId };
    const record = await SuppressionModel.findOne(filter, null, { session }).lean<Suppression>();
    if (!record) throw notFound('Suppression');
    const left = lifted(record);
    await replaceOrDelete(session, record, left);
    await emit(session, changeEvents(record, left, new Date()));
    await keep?.(session, record);
  });
}

/**
 * Replaces the address of an erased person's record, and deletes its notes: it can still be found by the address, but no longer shows it.
 * Resolves to the number of records that were changed.
 */
export async function eraseFromSuppressions(projectId: string, contactId: string): Promise<number> {
  const email = erasedAddress(contactId);
  const filter = { _id: siblingId('sup', contactId), projectId };
  return (await SuppressionModel.updateOne(filter, { $set: { email }, $unset: { note: '', 'hiddenOptOut.note': '' } })).modifiedCount;
}

/** Forgets the opt-out of someone who subscribed again, hidden or not; a blocking reason stays. Resolves to whether there was one. */
export async function forgetOptOut(session: ClientSession, project: ProjectKeys, email: string): Promise<boolean> {
  const filter = { _id: idFor(project.idSalt, email), projectId: project._id };
  const record = await SuppressionModel.findOne(filter, null, { session }).lean<Suppression>();
  if (!record || !holdsOptOut(record)) return false;
  await replaceOrDelete(session, record, record.reason === 'unsubscribe' ? null : { ...record, hiddenOptOut: null, optOutLink: null });
  return true;
}

async function replaceOrDelete(session: ClientSession, { _id, projectId }: Suppression, left: Suppression | null): Promise<void> {
  if (left) await replace(session, left);
  else await SuppressionModel.deleteOne({ _id, projectId }, { session });
}

export interface NewSuppression {
  /** Normalized: lower case, domain in ASCII. */
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly source: SuppressionSource;
  readonly note?: string | undefined;
  readonly at: Date;
  /** Set for an opt-out that the person may take back by the same link. */
  readonly optOutLink?: OptOutLink | null;
}

type State = Pick<Suppression, 'reason' | 'source' | 'note' | 'hiddenOptOut' | 'optOutLink'>;

const isReported = (source: SuppressionSource): boolean => source !== 'api' && source !== 'import';

const hidden = ({ source, note }: Pick<State, 'source' | 'note'>): State['hiddenOptOut'] => ({ source, ...(note && { note }) });

/**
 * Returns an address's record after a further suppression; the record itself when nothing changes. A blocking reason hides an opt-out,
 * never the other way. Of blocking reasons the first one stays, since it is what a person would have to remove; only a complaint that the
 * recipient's provider reports outranks the others. The record keeps its age, and so its position in lists. A hidden opt-out keeps its note.
 */
function joined<T extends State>(
  record: T,
  { reason, source, note, optOutLink = null }: Pick<NewSuppression, 'reason' | 'source' | 'note' | 'optOutLink'>,
): T {
  if (reason === 'unsubscribe') {
    const known = record.reason === 'unsubscribe' || record.hiddenOptOut !== null;
    return known ? record : { ...record, hiddenOptOut: hidden({ source, note }), optOutLink };
  }
  if (record.reason === 'unsubscribe') {
    return { ...record, reason, source, note, hiddenOptOut: hidden(record) };
  }
  const outranks = reason === 'complaint' && isReported(source) && record.reason !== 'complaint';
  return outranks ? { ...record, reason, source } : record;
}

/** Returns the rest of a record whose reason is removed: the opt-out that it hid, or nothing. */
const lifted = <T extends State>(record: T): T | null =>
  record.hiddenOptOut && { ...record, reason: 'unsubscribe', note: null, ...record.hiddenOptOut, hiddenOptOut: null };
