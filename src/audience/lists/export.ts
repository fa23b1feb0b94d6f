import { Readable } from 'node:stream';
import type { Context, PageRequest, Position } from '../../platform/core';
import { allConsent } from '../../records/consent';
import type { ConsentEntry } from '../../records/consent';
import { requireSegment } from '../segments';
import { choiceOf } from '../../rules/topics';
import { listTopics } from '../topics';
import type { Topic } from '../topics';
import { cellText, csvLine } from './csv-cells';
import { findContacts, listFields } from '../contacts';
import { contactsThat } from './list';
import type { ContactFilter } from './list';
import type { Contact } from '../contacts';

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
