import { z } from 'zod';
import { contactIdOf, getContact } from '../../src/audience/contacts';
import { exportConsent } from '../../src/audience/lists';
import type { Context } from '../../src/platform/core';
import { consentOf, hasConsent, verifyConsent } from '../../src/records/consent';
import { ContactParams } from '../contacts/schemas';
import { Streamed, paged } from '../http/answers';
import { endpoint, group, listEndpoint, streamEndpoint } from '../http/endpoint';
import { ConsentEntry, ConsentVerification } from './schemas';
import { toConsentEntry } from './view';

/** Resolves to the id of a person by a contact's id or an address: consent is kept also for addresses without a contact. Throws `not_found` if nothing is known. */
async function personOf(ctx: Context, which: string): Promise<string> {
  const contactId = contactIdOf(ctx, which);
  if (!(await hasConsent(ctx, contactId))) await getContact(ctx, which);
  return contactId;
}

export const consentExtensions = group('Extensions', [
  listEndpoint('GET /v1/contacts/{id}/consent', {
    operationId: 'listContactConsent',
    summary: 'List what a person agreed to and took back, newest first',
    description:
      'An extension of this implementation. The entries of an id or an address, also before it becomes a contact and after it was deleted.',
    request: { params: ContactParams },
    response: ConsentEntry,
    list: 'cursor',
    handle: ({ ctx, params, page }) =>
      paged(
        personOf(ctx, params.id).then((contactId) => consentOf(ctx, contactId, page)),
        toConsentEntry,
      ),
  }),
  endpoint('GET /v1/contacts/{id}/consent/verification', {
    operationId: 'verifyContactConsent',
    summary: "Verify the hash chain of a person's consent",
    description: 'An extension of this implementation. Detects an entry that was changed, inserted or removed in the database.',
    request: { params: ContactParams },
    response: ConsentVerification,
    handle: async ({ ctx, params }) => {
      const verification = await verifyConsent(ctx, await personOf(ctx, params.id));
      return { ...verification, intact: verification.brokenAt === null };
    },
  }),
  streamEndpoint('GET /v1/consent/export', {
    operationId: 'exportConsent',
    summary: 'Export the ledger of consent as CSV',
    description: 'An extension of this implementation. All entries of the project, newest first, with the address where it is a contact.',
    response: z.string(),
    produces: 'text/csv',
    handle: ({ ctx }) => new Streamed(exportConsent(ctx), { 'Content-Disposition': 'attachment; filename="consent.csv"' }),
  }),
]);
