import { Readable } from 'node:stream';
import type { Context, Position } from '../../platform/core';
import { requireSegment } from '../segments';
import { choiceOf } from '../../rules/topics';
import { listTopics } from '../topics';
import type { Topic } from '../topics';
import { cellText, csvLine } from './csv-cells';
import { listFields } from '../contacts';
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
  return Readable.from(lines(ctx, filter, { fields, topics: await listTopics(ctx) }), { objectMode: false });
}

/** The fields and topics that have columns. */
interface Columns {
  readonly fields: readonly string[];
  readonly topics: readonly Topic[];
}

async function* lines(ctx: Context, filter: ContactFilter, columns: Columns): AsyncGenerator<string> {
  // Without it spreadsheets take the file for one of their own code page.
  yield '\ufeff';
  const { fields, topics } = columns;
  yield csvLine([...MEMBERS, ...fields.map((field) => `data.${field}`), ...topics.map(({ key }) => `topic.${key}`)]);
  let after: Position | null = null;
  do {
    const { rows, next } = await contactsThat(ctx, filter, { limit: PAGE, after });
    if (rows.length > 0) yield rows.map((contact) => lineOf(contact, columns)).join('');
    after = next;
  } while (after !== null);
}

// A topic's cell says what the contact chose, and is empty where its default applies.
const lineOf = (contact: Contact, { fields, topics }: Columns): string =>
  csvLine([
    ...MEMBERS.map((member) => cellText(contact[member])),
    ...fields.map((field) => cellText(contact.data?.[field])),
    ...topics.map(({ _id }) => cellText(choiceOf(contact, _id)?.subscribed)),
  ]);
