import { z } from 'zod';
import { contactIdOf, getContact } from '../../src/audience/contacts';
import { exportConsent } from '../../src/audience/lists';
import type { Context } from '../../src/platform/core';
import { consentOf, hasConsent, verifyConsent, CONSENT_KINDS } from '../../src/records/consent';
import { ContactParams } from '../contacts/schemas';
import { Streamed, paged } from '../http/answers';
import { endpoint, extensions, listEndpoint, streamEndpoint } from '../http/endpoint';
import { count, optionalText, timestamp } from '../http/pieces';
import type { ConsentEntry as StoredConsentEntry } from '../../src/records/consent';

const Proof = z
  .object({
    sequence: count.meta({ description: 'The number of the entry, from 1, for each person' }),
    nonce: optionalText.meta({ description: 'Random characters in `detailsHash`, so that it cannot be guessed; null once erased' }),
    detailsHash: z.string().meta({ description: 'SHA-256 of the nonce and the members of the entry' }),
    previousHash: optionalText.meta({ description: '`hash` of the previous entry of the person; null for the first' }),
    hash: z.string().meta({ description: 'SHA-256 of `previousHash`, sequence, time and both hashes' }),
  })
  .meta({ id: 'ConsentProof', description: 'The hash of the previous entry' });

const ConsentEntry = z
  .object({
    entryId: z.string(),
    at: timestamp.meta({ description: 'When it happened' }),
    kind: z.enum(CONSENT_KINDS).nullable().meta({ description: 'The change; null once the person was erased' }),
    topicId: optionalText.meta({ description: 'The topic that it is about; null where it is about all marketing mail' }),
    source: optionalText.meta({ description: 'How it happened, e.g. `form`, `opt_in`, `api`, `link`, `one_click`, `import`' }),
    ip: optionalText.meta({ description: 'The IP address, stored as the setting `consent.ip` says' }),
    userAgent: optionalText.meta({ description: 'The browser' }),
    formId: optionalText.meta({ description: 'The form that the person used' }),
    emailId: optionalText.meta({ description: 'The message whose link the person used' }),
    text: optionalText.meta({ description: 'The exact text that the person was shown' }),
    textHash: optionalText.meta({ description: 'SHA-256 of the text; it stays after an erasure' }),
    proof: Proof,
  })
  .meta({
    id: 'ConsentEntry',
    description: 'One entry of the ledger of consent. Entries are never changed; erasure keeps time and hashes',
  });

const ConsentVerification = z
  .object({
    intact: z.boolean().meta({ description: 'True if every entry is unchanged and none is missing' }),
    entries: count.meta({ description: 'How many entries were verified' }),
    brokenAt: optionalText.meta({ description: 'The first entry that was changed; `head` if the newest entries are missing' }),
  })
  .meta({ id: 'ConsentVerification', description: "The result of a check of a person's hash chain" });

/** Resolves to the id of a person by a contact's id or an address: consent is kept also for addresses without a contact. Throws `not_found` if nothing is known. */
async function personOf(ctx: Context, which: string): Promise<string> {
  const contactId = contactIdOf(ctx, which);
  if (!(await hasConsent(ctx, contactId))) await getContact(ctx, which);
  return contactId;
}

export const consentExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/contacts/{id}/consent', {
    operationId: 'listContactConsent',
    summary: 'List what a person agreed to and took back, newest first',
    description: 'The entries of an id or an address, also before it becomes a contact and after it was deleted.',
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
    description: 'Detects an entry that was changed, inserted or removed in the database.',
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
    description: 'All entries of the project, newest first, with the address where it is a contact.',
    response: z.string(),
    produces: 'text/csv',
    handle: ({ ctx }) => new Streamed(exportConsent(ctx), { 'Content-Disposition': 'attachment; filename="consent.csv"' }),
  }),
]);

const toConsentEntry = ({ _id, createdAt, ...entry }: StoredConsentEntry): z.input<typeof ConsentEntry> => {
  const { kind, topicId, source, ip, userAgent, formId, emailId, text, textHash } = entry;
  const { sequence, nonce, detailsHash, previousHash, hash } = entry;
  return {
    entryId: _id,
    at: createdAt,
    kind,
    topicId,
    source,
    ip,
    userAgent,
    formId,
    emailId,
    text,
    textHash,
    proof: { sequence, nonce, detailsHash, previousHash, hash },
  };
};
