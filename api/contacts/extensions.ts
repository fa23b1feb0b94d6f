import { contactIdOf } from '../../src/audience/contacts';
import { listImports } from '../../src/audience/lists';
import { getErasure, storedDataOf } from '../../src/upkeep/erasure';
import { Streamed, paged } from '../http/answers';
import { endpoint, group, listEndpoint, streamEndpoint } from '../http/endpoint';
import { ContactParams, Erasure, HeldData, ImportSummary } from './schemas';
import { toErasure, toImportSummary } from './view';

export const contactExtensions = group('Extensions', [
  listEndpoint('GET /v1/contacts/import', {
    operationId: 'listImports',
    summary: 'List imports, newest first',
    description:
      'An extension of this implementation. Imports of the last 30 days, each with its progress; for rejected rows see `GET /v1/contacts/import/{id}`.',
    response: ImportSummary,
    list: 'cursor',
    handle: ({ ctx, page }) => paged(listImports(ctx, page), toImportSummary),
  }),
  endpoint('GET /v1/contacts/{id}/erasure', {
    operationId: 'getContactErasure',
    summary: 'Get the progress of the erasure of a deleted contact',
    description:
      'An extension of this implementation. By the former id or address of the contact; the latest erasure if there were several. Available for 90 days after its end.',
    request: { params: ContactParams },
    response: Erasure,
    handle: async ({ ctx, params }) => toErasure(await getErasure(ctx, params.id), contactIdOf(ctx, params.id)),
  }),
  streamEndpoint('GET /v1/contacts/{id}/data', {
    operationId: 'exportContactData',
    summary: 'Get all stored data about a contact',
    description:
      'An extension of this implementation. One JSON document, streamed: contact, topics, suppression, segments, campaigns, rejected import rows, and the newest 10,000 each of e-mails (with bodies and values), inbound mail, consent entries, events, executions and webhook deliveries; `truncated` names the lists that are longer.',
    request: { params: ContactParams },
    response: HeldData,
    produces: 'application/json',
    handle: async ({ ctx, params }) =>
      new Streamed(await storedDataOf(ctx, params.id), { 'Content-Disposition': 'attachment; filename="contact.json"' }),
  }),
]);
