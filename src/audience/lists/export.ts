import { Readable } from 'node:stream';
import type { Context, PageRequest, Position } from '../../platform/core';
import { allConsent } from '../../records/consent';
import type { ConsentEntry } from '../../records/consent';
import { requireSegment, membersAmong, someMembers } from '../segments';
import { choiceOf } from '../../rules/topics';
import { listTopics } from '../topics';
import type { Topic } from '../topics';
import { cellText, csvLine } from './csv-cells';
import { findContacts, listFields, pageOfContacts } from '../contacts';
import type { Contact } from '../contacts';
import type { QueryFilter } from 'mongoose';
import { containing, containingAddress } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';

/** Contacts with the largest possible data take some 16 MB. */
const PAGE = 500;

const MEMBERS = ['email', 'firstName', 'lastName', 'subscribed', 'locale', 'timezone', 'createdAt'] as const;

/**
 * Resolves to the contacts that match as CSV, newest first, read page by page as they are taken: no contact that was there all the while is left out or repeated. The
 * columns are the fields in use when the export begins. Importing it again changes nothing (docs/import-export.md). Throws 422 `not_found` for a segment that
 * is not there.
 */
export async function exportContacts(ctx: Context, filter: ContactFilter): Promise<Readable> {
  if (filter.segmentId !== undefined) await requireSegment(ctx.projectId, filter.segmentId);
  const fields = (await listFields(ctx)).map(({ field }) => field).sort();
  const topics = await listTopics(ctx);
  return csvOf([...MEMBERS, ...fields.map((field) => `data.${field}`), ...topics.map(({ key }) => `topic.${key}`)], async (request) => {
    const { rows, next } = await contactsThat(ctx, filter, request);
    return [rows.map((contact) => lineOf(contact, { fields, topics })).join(''), next];
  });
}

/** The fields and topics that have columns. */
interface Columns {
  readonly fields: readonly string[];
  readonly topics: readonly Topic[];
}

// A topic's cell says what the contact chose, and is empty where its default applies.
const lineOf = (contact: Contact, { fields, topics }: Columns): string =>
  csvLine([
    ...MEMBERS.map((member) => cellText(contact[member])),
    ...fields.map((field) => cellText(contact.data?.[field])),
    ...topics.map(({ _id }) => cellText(choiceOf(contact, _id)?.subscribed)),
  ]);

const SAID = ['kind', 'topicId', 'source', 'ip', 'userAgent', 'formId', 'emailId', 'text', 'textHash'] as const;
const PROOF = ['sequence', 'nonce', 'detailsHash', 'previousHash', 'hash'] as const;

/** Returns the whole ledger of consent of a project as CSV, newest first, read page by page as it is taken. */
export const exportConsent = (ctx: Context): Readable =>
  csvOf(['entryId', 'contactId', 'email', 'at', ...SAID, ...PROOF], async (request) => {
    const { rows, next } = await allConsent(ctx, request);
    const people = await findContacts(ctx.projectId, [...new Set(rows.map(({ contactId }) => contactId))]);
    return [rows.map((entry) => consentLine(entry, people.get(entry.contactId)?.email ?? null)).join(''), next];
  });

const consentLine = (entry: ConsentEntry, email: string | null): string =>
  csvLine([entry._id, entry.contactId, email, entry.createdAt, ...[...SAID, ...PROOF].map((member) => entry[member])].map(cellText));

/** Reads a page of a list: its lines, and where the next page begins. */
type ReadLines = (request: PageRequest) => Promise<readonly [lines: string, next: Position | null]>;

/** Returns a list as CSV, with its names first. */
const csvOf = (names: readonly string[], read: ReadLines): Readable => Readable.from(pages(names, read), { objectMode: false });

async function* pages(names: readonly string[], read: ReadLines): AsyncGenerator<string> {
  // Without it spreadsheets take the file for one of their own code page.
  yield '\ufeff';
  yield csvLine(names);
  let after: Position | null = null;
  do {
    const [lines, next]: Awaited<ReturnType<ReadLines>> = await read({ limit: PAGE, after });
    if (lines !== '') yield lines;
    after = next;
  } while (after !== null);
}

interface ContactFilter {
  /** Part of the address, the first or the last name, in any case. */
  readonly search?: string | undefined;
  readonly subscribed?: boolean | undefined;
  /** Members of a segment. */
  readonly segmentId?: string | undefined;
  /** Absent: the newest first. */
  readonly order?: 'newest' | 'oldest' | undefined;
}

/** Limit for members that a query names; for a larger segment, every contact of the project is checked for membership. */
const NAMED_MEMBERS = 5_000;
const WALK_PAGE = 1_000;

/** Resolves to a page of the project's contacts, in the order of their creation. Throws 422 `not_found` for a segment that is not there. */
export async function listContacts(ctx: Context, filter: ContactFilter, request: PageRequest): Promise<Page<Contact>> {
  if (filter.segmentId !== undefined) await requireSegment(ctx.projectId, filter.segmentId);
  return contactsThat(ctx, filter, request);
}

/** Resolves to the same without checking that the segment exists: one that does not exist has no members. */
async function contactsThat(
  ctx: Context,
  { search, subscribed, segmentId, order }: ContactFilter,
  request: PageRequest,
): Promise<Page<Contact>> {
  const { projectId } = ctx;
  const direction = order === 'oldest' ? 1 : -1;
  const filter: QueryFilter<Contact> = {
    projectId,
    ...(subscribed !== undefined && { subscribed }),
    ...(search && { $or: [{ email: containingAddress(search) }, { firstName: containing(search) }, { lastName: containing(search) }] }),
  };
  if (segmentId === undefined) return pageOfContacts(filter, request, direction);
  const named = await someMembers(projectId, segmentId, NAMED_MEMBERS + 1);
  if (named.length === 0) return { rows: [], next: null };
  if (named.length > NAMED_MEMBERS) return walkMembers({ projectId, segmentId, direction }, filter, request);
  return pageOfContacts({ ...filter, _id: { $in: [...named] } }, request, direction);
}

interface Walk {
  readonly projectId: string;
  readonly segmentId: string;
  readonly direction: 1 | -1;
}

async function walkMembers(
  { projectId, segmentId, direction }: Walk,
  filter: QueryFilter<Contact>,
  { limit, after }: PageRequest,
): Promise<Page<Contact>> {
  const found: Contact[] = [];
  let from = after;
  do {
    const { rows, next } = await pageOfContacts(filter, { limit: WALK_PAGE, after: from }, direction, { _id: 1, createdAt: 1 });
    const members = await membersAmong(
      projectId,
      segmentId,
      rows.map(({ _id }) => _id),
    );
    found.push(...rows.filter(({ _id }) => members.has(_id)));
    from = next;
  } while (from !== null && found.length <= limit);
  const ids = found.slice(0, limit).map(({ _id }) => _id);
  const last = found[limit - 1];
  const { rows } = await pageOfContacts({ projectId, _id: { $in: ids } }, { limit, after: null }, direction);
  return { rows, next: found.length > limit && last ? { at: last.createdAt, id: last._id } : null };
}
