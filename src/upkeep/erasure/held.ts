import { Readable } from 'node:stream';
import { executionsOf } from '../../marketing/automations';
import { recipientRowsOf } from '../../marketing/campaigns';
import { refusedRowsOf } from '../../audience/lists';
import { contactShape, getContact, notesOf } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Context, PageRequest, Position } from '../../platform/core';
import { emailSummary, getEmail, listEmails } from '../../records/emails';
import type { Email } from '../../records/emails';
import { eventsOfContact } from '../../records/events';
import { listReceived } from '../../sending/inbound';
import type { Page } from '../../platform/mongo';
import { membershipsOf } from '../../audience/segments';
import { findSuppression } from '../../records/suppressions';
import { deliveriesTellingOf } from '../../sending/webhooks';

/** Of each list the newest. */
const MOST_ROWS = 10_000;
const PAGE = 100;

interface List {
  readonly name: string;
  page(request: PageRequest): Promise<Page<unknown>>;
}

/**
 * Resolves to all that is held about a contact as the text of one JSON document, read page by page as it is taken. Of each list there are the newest 10,000; which ones
 * are longer is said at the end. Throws `not_found`.
 */
export async function heldAbout(ctx: Context, which: string): Promise<Readable> {
  const contact = await getContact(ctx, which);
  return Readable.from(documentOf(ctx, contact), { objectMode: false });
}

async function* documentOf(ctx: Context, contact: Contact): AsyncGenerator<string> {
  const { _id: contactId, projectId, email } = contact;
  const facts = {
    contact: { ...contactShape(contact), optedOutAt: contact.optedOutAt },
    suppression: await findSuppression(ctx, email),
    segments: await membershipsOf(projectId, contactId),
    campaigns: await recipientRowsOf({ projectId, contactId }),
    importErrors: await refusedRowsOf(projectId, email),
  };
  yield `{"success":true,"data":{"exportedAt":${JSON.stringify(new Date())}`;
  for (const [name, value] of Object.entries(facts)) yield `,"${name}":${JSON.stringify(value)}`;
  const cut: string[] = [];
  for (const list of listsOf(ctx, contact)) {
    yield `,"${list.name}":[`;
    if (yield* rowsOf(list)) cut.push(list.name);
    yield ']';
  }
  yield `,"truncated":${JSON.stringify(cut)}}}\n`;
}

/** Returns whether there are more rows. */
async function* rowsOf(list: List): AsyncGenerator<string, boolean> {
  let after: Position | null = null;
  for (let taken = 0; taken < MOST_ROWS;) {
    const { rows, next }: Page<unknown> = await list.page({ limit: PAGE, after });
    if (rows.length > 0) yield (taken > 0 ? ',' : '') + rows.map((row) => JSON.stringify(row)).join(',');
    taken += rows.length;
    after = next;
    if (after === null) return false;
  }
  return true;
}

const listsOf = (ctx: Context, { _id: contactId, email }: Contact): readonly List[] => [
  { name: 'emails', page: async (request) => whole(ctx, await listEmails(ctx, { to: email }, request)) },
  { name: 'inbound', page: async (request) => whole(ctx, await listReceived(ctx, { fromEmail: email }, request)) },
  { name: 'events', page: (request) => eventsOfContact(ctx, contactId, request) },
  { name: 'notes', page: (request) => notesOf(ctx, contactId, request) },
  { name: 'executions', page: (request) => executionsOf(ctx, contactId, request) },
  { name: 'webhookDeliveries', page: (request) => deliveriesTellingOf(ctx, contactId, request) },
];

/** Lists leave content out. */
async function whole(ctx: Context, { rows, next }: Page<Email>): Promise<Page<unknown>> {
  const found = await Promise.all(rows.map(({ _id }) => getEmail(ctx, _id)));
  return {
    rows: found.map(({ email, bodies: { html, text } }) => ({
      ...emailSummary(email),
      toName: email.toName,
      values: email.values,
      html,
      text,
    })),
    next,
  };
}
