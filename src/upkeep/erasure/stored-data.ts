import { PassThrough, Readable, pipeline } from 'node:stream';
import { executionsOf } from '../../marketing/automations';
import { recipientRowsOf } from '../../marketing/campaigns';
import { refusedRowsOf } from '../../audience/lists';
import { contactShape, getContact, notesOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { consentOf } from '../../records/consent';
import { readWhileSent } from '../../platform/core';
import type { Context, PageRequest, Position } from '../../platform/core';
import { emailSummary, getEmail, listEmails } from '../../records/emails';
import { eventsOfContact } from '../../records/events';
import { listReceived } from '../../sending/inbound';
import type { Page } from '../../platform/mongo';
import { topicsOfContact } from '../../audience/topics';
import { membershipsOf } from '../../audience/segments';
import { findSuppression } from '../../records/suppressions';
import { deliveriesTellingOf } from '../../sending/webhooks';

/** Limit for each list, newest first. */
const MOST_ROWS = 10_000;
const PAGE = 100;
/** Rows are sent as soon as they add up to this many characters; one row may be megabytes long. */
const PIECE = 65_536;

/** Does a read that ends with the answer. */
type Read = <T>(work: () => Promise<T>) => Promise<T>;

/** The rows of a list as JSON, in pieces. Returns whether there are more. */
type Rows = AsyncGenerator<string, boolean>;

/**
 * Resolves to all that is held about a contact as the text of one JSON document, read as it is taken: of what can be large one row at a time. Of each list there are
 * the newest 10,000; which ones are longer is said at the end. Throws `not_found`.
 */
export async function storedDataOf(ctx: Context, which: string): Promise<Readable> {
  const contact = await getContact(ctx, which);
  const over = new AbortController();
  const read: Read = (work) => readWhileSent(over.signal, work);
  // A stream of a generator is closed only once the read has ended that is under way; this one is closed with its client.
  const answer = new PassThrough().once('close', () => over.abort());
  return pipeline(Readable.from(documentOf(ctx, contact, read), { objectMode: false }), answer, () => undefined);
}

async function* documentOf(ctx: Context, contact: Contact, read: Read): AsyncGenerator<string> {
  const facts = await read(() => factsAbout(ctx, contact));
  yield `{"success":true,"data":{"exportedAt":${JSON.stringify(new Date())}`;
  for (const [name, value] of Object.entries(facts)) yield `,"${name}":${JSON.stringify(value)}`;
  const cut: string[] = [];
  for (const [name, rows] of Object.entries(listsAbout(ctx, contact, read))) {
    yield `,"${name}":[`;
    if (yield* rows) cut.push(name);
    yield ']';
  }
  yield `,"truncated":${JSON.stringify(cut)}}}\n`;
}

async function factsAbout(ctx: Context, contact: Contact): Promise<object> {
  const { _id: contactId, projectId, email } = contact;
  return {
    contact: { ...contactShape(contact), optedOutAt: contact.optedOutAt },
    topics: await topicsStored(ctx, contact),
    suppression: await findSuppression(ctx, email),
    segments: await membershipsOf(projectId, contactId),
    campaigns: await recipientRowsOf({ projectId, contactId }),
    importErrors: await refusedRowsOf(projectId, email),
  };
}

/** Resolves to the topics that the contact chose or left; their keys and names are looked up. */
async function topicsStored(ctx: Context, { _id: contactId }: Contact): Promise<readonly object[]> {
  const states = await topicsOfContact(ctx, { contactId });
  return states.flatMap(({ topic: { _id: topicId, key, name }, explicit, ...state }) =>
    explicit ? [{ topicId, key, name, ...state }] : [],
  );
}

function listsAbout(ctx: Context, { _id: contactId, email }: Contact, read: Read): Readonly<Record<string, Rows>> {
  const mail = ({ _id }: { readonly _id: string }): Promise<unknown> => read(() => wholeMail(ctx, _id));
  const rows = (page: (request: PageRequest) => Promise<Page<unknown>>): Rows => rowsOf((request) => read(() => page(request)), asItIs);
  return {
    emails: rowsOf((request) => read(() => listEmails(ctx, { to: email }, request)), mail),
    inbound: rowsOf((request) => read(() => listReceived(ctx, { fromEmail: email }, request)), mail),
    consent: rows((request) => consentOf(ctx, contactId, request)),
    events: rows((request) => eventsOfContact(ctx, contactId, request)),
    notes: rows((request) => notesOf(ctx, contactId, request)),
    executions: rows((request) => executionsOf(ctx, contactId, request)),
    webhookDeliveries: rows((request) => deliveriesTellingOf(ctx, contactId, request)),
  };
}

async function* rowsOf<T>(page: (request: PageRequest) => Promise<Page<T>>, shown: (row: T) => unknown): Rows {
  let after: Position | null = null;
  let piece = '';
  for (let taken = 0; taken < MOST_ROWS;) {
    const { rows, next }: Page<T> = await page({ limit: PAGE, after });
    for (const row of rows) {
      piece += (taken++ > 0 ? ',' : '') + JSON.stringify(await shown(row));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    after = next;
    if (after === null) break;
  }
  if (piece !== '') yield piece;
  return after !== null;
}

const asItIs = (row: unknown): unknown => row;

/** Lists leave content out. */
async function wholeMail(ctx: Context, id: string): Promise<object> {
  const { email, bodies } = await getEmail(ctx, id);
  const { html, text } = bodies;
  return { ...emailSummary(email), toName: email.toName, values: email.values, html, text };
}
