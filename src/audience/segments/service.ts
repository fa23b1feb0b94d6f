import type { ClientSession } from 'mongoose';
import { afterwards } from '../../platform/async';
import { contactIdFor, findContacts, sampleContacts } from '../contacts';
import type { Contact } from '../contacts';
import type { Context, PageRequest, Rows } from '../../platform/core';
import { archivedFilter, archiving } from '../../platform/archive';
import { containing, databaseNow, inSequence, inTransaction, newest, page, rowsOf } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { startsAsked } from '../../records/emails';
import { topicsAsked } from '../topics';
import { compile } from '../../rules/conditions/compile';
import { factsNeeded } from '../../rules/conditions/inventory';
import { foldCount, recount } from './counts';
import { readSegment, requireFound } from './edit';
import type { Conditions } from './edit';
import { complete } from './fill';
import { SegmentMemberModel } from './member-model';
import type { SegmentMember } from './member-model';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { checkConditions } from './references';
import { addMembers, removeMembers, requireStatic } from './static';
import { compareNow } from './sweep';

const SAMPLE = 10;

export interface SegmentFilter {
  readonly type?: Segment['type'] | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  /** All segments where it is undefined. */
  readonly archived?: boolean | undefined;
}

/** Lists a project's segments that match, newest first. */
export const listSegments = ({ projectId }: Context, { type, search, archived }: SegmentFilter, request: PageRequest): Rows<Segment> =>
  rowsOf(
    SegmentModel,
    newest<Segment>(
      { projectId, ...(type && { type }), ...(search && { name: containing(search) }), ...archivedFilter(archived) },
      request,
    ),
  );

/** Archives a segment, or unarchives it. Throws `not_found`. */
export const setSegmentArchived = archiving(SegmentModel, { what: 'Segment' });

/** Throws `not_found`. */
export const getSegment = (ctx: Context, id: string): Promise<Segment> => readSegment(ctx.projectId, id);

/** Compares all contacts with the conditions and counts the members. Emits an event for each contact that enters or leaves. Throws `not_found`. */
export async function refreshSegment(ctx: Context, id: string): Promise<Segment> {
  const segment = await readSegment(ctx.projectId, id);
  if (segment.type === 'static') await recount(ctx.projectId, id);
  else if (segment.computing) await complete(ctx.projectId, id);
  else await compareNow(ctx.projectId, id, ctx.testMode);
  return readSegment(ctx.projectId, id);
}

/** Resolves to how many contacts conditions match now, and the newest of them. Throws 422 `invalid_condition`, `not_found`. */
export async function previewSegment(
  ctx: Context,
  conditions: Conditions,
): Promise<{ readonly count: number; readonly sample: readonly Contact[] }> {
  const { projectId } = ctx;
  const tree = await checkConditions(null, projectId, conditions);
  const starts = await startsAsked(projectId, factsNeeded(tree));
  const topics = await topicsAsked(projectId, tree);
  return sampleContacts(projectId, compile(tree, { projectId, now: await databaseNow(), starts, topics }), SAMPLE);
}

export interface Member {
  readonly contact: Contact;
  readonly enteredAt: Date;
}

/** Resolves to a page of the contacts in a segment, newest first by (createdAt, id) of the contact. Throws `not_found`. */
export async function listMembers(ctx: Context, id: string, request: PageRequest): Promise<Page<Member>> {
  const { projectId } = ctx;
  await requireFound(projectId, id);
  const { rows, next } = await page<SegmentMember>(SegmentMemberModel, { segmentId: id, projectId }, request, {
    by: 'contactCreatedAt',
    direction: -1,
  });
  const contactIds = rows.map(({ contactId }) => contactId);
  const contacts = await findContacts(projectId, contactIds);
  const found = rows.flatMap(({ contactId, enteredAt }) => {
    const contact = contacts.get(contactId);
    return contact ? [{ contact, enteredAt }] : [];
  });
  return { rows: found, next };
}

/** Runs changes of one segment in sequence: concurrent ones would only repeat their transactions. */
const changing = <T>(id: string, work: (session: ClientSession) => Promise<T>): Promise<T> =>
  inSequence(`members ${id}`, () => inTransaction(work));

const counted = ({ core, projectId }: Context, id: string): Promise<void> =>
  afterwards(core, 'The count of a segment is left to the schedule', () => foldCount({ projectId, segmentId: id }));

/**
 * Puts the contacts of addresses into a static segment. `added` are those who were not in it, `missing` the addresses that are no contact's.
 * Throws `not_found`, 422 for a dynamic segment.
 */
export async function addToSegment(
  ctx: Context,
  id: string,
  emails: readonly string[],
): Promise<{ readonly added: number; readonly missing: readonly string[] }> {
  const { projectId } = ctx;
  await requireStatic(projectId, id);
  const wanted = new Map(emails.map((email) => [contactIdFor(ctx.project, email), email]));
  const result = await changing(id, async (session) => {
    const contacts = await findContacts(projectId, [...wanted.keys()], session);
    const cause = { testMode: ctx.testMode, at: await databaseNow() };
    const added = await addMembers(session, { projectId, segmentId: id }, [...contacts.values()], cause);
    return { added, missing: [...wanted].filter(([contactId]) => !contacts.has(contactId)).map(([, email]) => email) };
  });
  await counted(ctx, id);
  return result;
}

/**
 * Takes a contact out of a static segment. Resolves to whether it was in; the id of another project's contact, which must leave nothing behind under its
 * name, is no contact's. Throws `not_found` for the segment, 422 for a dynamic one.
 */
export async function removeFromSegment(ctx: Context, id: string, contactId: string): Promise<boolean> {
  const { projectId } = ctx;
  await requireStatic(projectId, id);
  const removed = await changing(id, async (session) => {
    const contact = (await findContacts(projectId, [contactId], session)).get(contactId);
    if (!contact) return 0;
    return removeMembers(session, { projectId, segmentId: id }, [contact], { testMode: ctx.testMode, at: await databaseNow() });
  });
  await counted(ctx, id);
  return removed > 0;
}
