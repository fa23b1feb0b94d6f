import { z } from 'zod';
import {
  changeContacts,
  deleteContact,
  fieldUsage,
  getContact,
  listFieldValues,
  listFields,
  removeField,
  timeline,
  contactIdFor,
  contactIdOf,
} from '../../src/audience/contacts';
import { settleMarketing } from '../../src/audience/topics';
import { exportContacts, getImport, listContacts, startImport, listImports } from '../../src/audience/lists';
import { positioned } from '../../src/platform/mongo';
import { positionAt } from '../../src/platform/core';
import { Streamed, reply, deleted, paged } from '../http/answers';
import { endpoint, extensions, group, listEndpoint, streamEndpoint, uploadEndpoint } from '../http/endpoint';
import { replayed } from '../http/once';
import { Deleted, IdParams, MEBIBYTE } from '../http/pieces';
import {
  BulkContacts,
  BulkResult,
  Contact,
  ContactField,
  ContactListQuery,
  ContactParams,
  ContactQuery,
  FieldParams,
  FieldUsage,
  FieldValues,
  FieldValuesQuery,
  ImportJob,
  ImportQuery,
  RemovedField,
  StartedImport,
  TimelineEntry,
  UpsertContact,
  UpsertedContact,
  Erasure,
  HeldData,
  ImportSummary,
} from './schemas';
import { upsert } from './opt-in';
import { uploadedFile } from './upload';
import { toContact, toFieldUsage, toImportJob, toTimelineEntry, toErasure, toImportSummary } from './view';
import type { LeavingPerson } from '../../src/audience/topics';
import type { Context } from '../../src/platform/core';
import { getErasure, storedDataOf } from '../../src/upkeep/erasure';

export const contactRoutes = group('Contacts', [
  listEndpoint('GET /v1/contacts', {
    operationId: 'listContacts',
    summary: 'List contacts, newest first by default',
    description: '`search` finds a substring of email, first or last name, case-insensitive; it is not a pattern.',
    request: { query: ContactListQuery },
    response: Contact,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listContacts(ctx, query, page), toContact),
  }),
  endpoint('POST /v1/contacts', {
    operationId: 'upsertContact',
    summary: 'Create or update a contact',
    description:
      '201 if it was created, 200 if it existed. Absent fields keep their value. With `optIn: "double"` (an extension of this implementation), 202 once the person is asked to confirm. The contact exists only after they do.',
    request: { body: UpsertContact },
    status: [201, 200, 202],
    response: UpsertedContact,
    errors: ['limit_exceeded', 'send_failed'],
    handle: ({ ctx, body }) => upsert(ctx, body),
  }),
  endpoint('POST /v1/contacts/bulk', {
    operationId: 'changeContacts',
    summary: 'Subscribe, unsubscribe, delete or suppress up to 1,000 contacts',
    request: { body: BulkContacts },
    response: BulkResult,
    handle: async ({ ctx, body }) => {
      const result = await changeContacts(ctx, body);
      if (body.action === 'unsubscribe' || body.action === 'suppress') await settleMarketing(ctx.core, ctx.projectId, peopleIn(ctx, body));
      return result;
    },
  }),
  uploadEndpoint('POST /v1/contacts/import', {
    operationId: 'importContacts',
    summary: 'Import contacts from CSV, as a background job',
    description:
      'A `multipart/form-data` body with a part `file`, or a `text/csv` body. Columns are mapped by their headers; if an email appears twice, the last row wins. ' +
      'For an `Idempotency-Key` the same body is the same bytes of the file with the same query.',
    takes: ['multipart/form-data', 'text/csv'],
    request: { query: ImportQuery },
    status: 202,
    response: StartedImport,
    limits: { bodyBytes: 512 * MEBIBYTE },
    idempotent: true,
    handle: async ({ ctx, query: { segmentId, trigger, columns = null }, stream, incoming, idempotency }) => {
      const upload = { file: uploadedFile(incoming, stream ?? incoming), idempotency, present: toImportJob };
      const { answer, replay } = await startImport(ctx, upload, { segmentId: segmentId ?? null, enrols: trigger, columns });
      return replay ? replayed(202, answer) : reply(202, answer);
    },
  }),
  endpoint('GET /v1/contacts/import/{id}', {
    operationId: 'getImport',
    summary: 'Get the progress of an import',
    request: { params: IdParams },
    response: ImportJob,
    handle: async ({ ctx, params }) => toImportJob(await getImport(ctx, params.id)),
  }),
  streamEndpoint('GET /v1/contacts/export', {
    operationId: 'exportContacts',
    summary: 'Export contacts as CSV',
    description: 'Importing the file again changes nothing.',
    request: { query: ContactQuery },
    response: z.string(),
    produces: 'text/csv',
    handle: async ({ ctx, query }) =>
      new Streamed(await exportContacts(ctx, query), { 'Content-Disposition': 'attachment; filename="contacts.csv"' }),
  }),
  listEndpoint('GET /v1/contacts/fields', {
    operationId: 'listContactFields',
    summary: 'Discover the custom fields in use',
    response: ContactField,
    list: 'whole',
    handle: async ({ ctx, page }) => positioned(await listFields(ctx, page.after?.id), ({ field }) => positionAt(field)),
  }),
  endpoint('GET /v1/contacts/fields/{field}/values', {
    operationId: 'listContactFieldValues',
    summary: 'List the values of a field, most frequent first',
    request: { params: FieldParams, query: FieldValuesQuery, neverMissing: true },
    response: FieldValues,
    handle: async ({ ctx, params: { field }, query }) => {
      const data = await listFieldValues(ctx, { field, ...query });
      return { field, data: data as z.input<typeof FieldValues>['data'] };
    },
  }),
  endpoint('GET /v1/contacts/fields/{field}/usage', {
    operationId: 'getContactFieldUsage',
    summary: 'Count the contacts with a field, and list what refers to it',
    request: { params: FieldParams, neverMissing: true },
    response: FieldUsage,
    handle: async ({ ctx, params: { field } }) => toFieldUsage(field, await fieldUsage(ctx, field)),
  }),
  endpoint('DELETE /v1/contacts/fields/{field}', {
    operationId: 'deleteContactField',
    summary: 'Remove a field from every contact permanently',
    request: { params: FieldParams, neverMissing: true },
    response: RemovedField,
    audit: ({ params }) => ['field.delete', params.field],
    handle: async ({ ctx, params: { field } }) => ({ field, removed: await removeField(ctx, field) }),
  }),
  endpoint('GET /v1/contacts/{id}', {
    operationId: 'getContact',
    summary: 'Get a contact by id or address',
    request: { params: ContactParams },
    response: Contact,
    handle: async ({ ctx, params }) => toContact(await getContact(ctx, params.id)),
  }),
  endpoint('DELETE /v1/contacts/{id}', {
    operationId: 'deleteContact',
    summary: 'Delete a contact',
    description:
      'Its memberships and running executions are deleted too. Its e-mails and events remain without personal data: see `GET /v1/contacts/{id}/erasure`.',
    request: { params: ContactParams },
    response: Deleted,
    handle: ({ ctx, params }) => deleted(deleteContact(ctx, params.id)),
  }),
  listEndpoint('GET /v1/contacts/{id}/timeline', {
    operationId: 'getContactTimeline',
    summary: 'Get the timeline of a contact, newest first',
    request: { params: ContactParams },
    response: TimelineEntry,
    list: 'cursor',
    handle: ({ ctx, params, page }) => paged(timeline(ctx, params.id, page), toTimelineEntry),
  }),
]);

/** Returns the people that a request for many contacts names. */
const peopleIn = ({ project }: Context, { contactIds = [], emails = [] }: z.output<typeof BulkContacts>): readonly LeavingPerson[] => [
  ...contactIds.map((contactId) => ({ contactId, address: null })),
  ...emails.map((address) => ({ contactId: contactIdFor(project, address), address })),
];

export const contactExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/contacts/import', {
    operationId: 'listImports',
    summary: 'List imports, newest first',
    description: 'Imports of the last 30 days, each with its progress; for rejected rows see `GET /v1/contacts/import/{id}`.',
    response: ImportSummary,
    list: 'cursor',
    handle: ({ ctx, page }) => paged(listImports(ctx, page), toImportSummary),
  }),
  endpoint('GET /v1/contacts/{id}/erasure', {
    operationId: 'getContactErasure',
    summary: 'Get the progress of the erasure of a deleted contact',
    description:
      'By the former id or address of the contact; the latest erasure if there were several. Available for 90 days after its end.',
    request: { params: ContactParams },
    response: Erasure,
    handle: async ({ ctx, params }) => toErasure(await getErasure(ctx, params.id), contactIdOf(ctx, params.id)),
  }),
  streamEndpoint('GET /v1/contacts/{id}/data', {
    operationId: 'exportContactData',
    summary: 'Get all stored data about a contact',
    description:
      'One JSON document, streamed: contact, topics, suppression, segments, campaigns, rejected import rows, and the newest 10,000 each of e-mails (with bodies and values), inbound mail, consent entries, events, executions and webhook deliveries; `truncated` names the lists that are longer.',
    request: { params: ContactParams },
    response: HeldData,
    produces: 'application/json',
    handle: async ({ ctx, params }) =>
      new Streamed(await storedDataOf(ctx, params.id), { 'Content-Disposition': 'attachment; filename="contact.json"' }),
  }),
]);
