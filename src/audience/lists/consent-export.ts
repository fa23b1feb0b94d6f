import { Readable } from 'node:stream';
import type { Context, Position } from '../../platform/core';
import { allConsent } from '../../records/consent';
import type { ConsentEntry } from '../../records/consent';
import { findContacts } from '../contacts';
import { cellText, csvLine } from './csv-cells';

const PAGE = 500;

const SAID = ['kind', 'topicId', 'source', 'ip', 'userAgent', 'formId', 'emailId', 'text', 'textHash'] as const;
const PROOF = ['sequence', 'nonce', 'detailsHash', 'previousHash', 'hash'] as const;

/** Returns the whole ledger of consent of a project as CSV, newest first, read page by page as it is taken. */
export const exportConsent = (ctx: Context): Readable => Readable.from(lines(ctx), { objectMode: false });

async function* lines(ctx: Context): AsyncGenerator<string> {
  // Without it spreadsheets take the file for one of their own code page.
  yield '\ufeff';
  yield csvLine(['entryId', 'contactId', 'email', 'at', ...SAID, ...PROOF]);
  let after: Position | null = null;
  do {
    const { rows, next } = await allConsent(ctx, { limit: PAGE, after });
    const people = await findContacts(ctx.projectId, [...new Set(rows.map(({ contactId }) => contactId))]);
    if (rows.length > 0) yield rows.map((entry) => lineOf(entry, people.get(entry.contactId)?.email ?? null)).join('');
    after = next;
  } while (after !== null);
}

const lineOf = (entry: ConsentEntry, email: string | null): string =>
  csvLine([
    ...[entry._id, entry.contactId, email, entry.createdAt].map(cellText),
    ...SAID.map((member) => cellText(entry[member])),
    ...PROOF.map((member) => cellText(entry[member])),
  ]);
