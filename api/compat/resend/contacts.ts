import type { z } from 'zod';
import { invalid, notFound } from '../../../src/platform/core';
import { contactIdOf } from '../../../src/audience/contacts';
import { membershipsOf } from '../../../src/audience/segments';
import type { Contact as WireContact } from '../../contacts/schemas';
import type { Segment as WireSegment } from '../../segments/schemas';
import type { ContactTopics as WireTopics } from '../../topics/schemas';
import type { Foreign } from '../kit/declare';
import { entriesOf, membersOf, negated, refuse, renamed } from '../kit/members';
import type { Members } from '../kit/members';
import { findRow, perform } from '../kit/operations';
import { sliceIn, wantedOf } from '../kit/slices';
import { absent, byId, listOf, pagedList, resend, wholeList } from './declare';
import { segmentView } from './segments';

type Contact = z.output<typeof WireContact>;

const FIELDS: Readonly<Record<string, string>> = { first_name: 'firstName', last_name: 'lastName', properties: 'data' };

/** Returns what a request says of a contact, in the form of `/v1`. */
const fieldsOf = (given: Members): Members => ({
  ...renamed(given, FIELDS),
  ...(given['unsubscribed'] !== undefined && { subscribed: negated(given['unsubscribed']) }),
});

const contactView = ({ contactId, email, firstName, lastName, createdAt, subscribed }: Contact) => ({
  id: contactId,
  email,
  first_name: firstName,
  last_name: lastName,
  created_at: createdAt,
  unsubscribed: !subscribed,
});

const find = (request: Foreign): Promise<Contact> => perform('getContact', request, byId(request));

/** Segments that a request may name: each takes two calls. */
const MOST_SEGMENTS = 100;

/** Returns the ids in a list of ids or of objects with one, each once. */
function ids(list: unknown, path: string): readonly unknown[] {
  const entries = entriesOf(list, path);
  if (entries.length > MOST_SEGMENTS) throw invalid(path, 'too_big', `Must have at most ${MOST_SEGMENTS} items`);
  return [...new Set(entries.map((each) => (typeof each === 'string' ? each : membersOf(each, path)['id'])))];
}

const join = (request: Foreign, segmentId: unknown, email: unknown): Promise<unknown> =>
  perform('addSegmentMembers', request, { params: { id: segmentId }, body: { emails: [email] } });

const changeTopics = (request: Foreign, id: string, topics: unknown): Promise<z.output<typeof WireTopics>> => {
  const changes = entriesOf(topics, 'topics').map((each) => {
    const { id: topicId, subscription } = membersOf(each, 'topics');
    return { topicId, subscribed: subscription === 'opt_in' ? true : subscription === 'opt_out' ? false : subscription };
  });
  return perform('changeContactTopics', request, { params: { id }, body: { topics: changes } });
};

/** Creates a contact, in segments and topics that have to be there. */
async function create(request: Foreign, given: Members, segments: readonly unknown[]) {
  for (const id of segments) await perform('getSegment', request, { params: { id } });
  const contact = await perform<Contact>('upsertContact', request, { body: { email: given['email'], ...fieldsOf(given) } });
  for (const id of segments) await join(request, id, contact.email);
  const { topics } = given;
  if (Array.isArray(topics) && topics.length > 0) await changeTopics(request, contact.contactId, topics);
  return { object: 'contact', id: contact.contactId };
}

/** Updates a contact. `POST /v1/contacts` updates by the address, and creates what does not exist, so the contact is looked up first. */
async function update(request: Foreign) {
  const { email, contactId } = await find(request);
  await perform('upsertContact', request, { body: { email, ...fieldsOf(membersOf(request.body)) } });
  return { object: 'contact', id: contactId };
}

async function get(request: Foreign) {
  const contact = await find(request);
  return { object: 'contact', ...contactView(contact), properties: contact.data ?? {} };
}

async function remove(request: Foreign) {
  const { contactId } = await find(request);
  await perform('deleteContact', request, { params: { id: contactId } });
  return { object: 'contact', contact: contactId, deleted: true };
}

async function leave(request: Foreign, segmentId: string | undefined) {
  const { contactId } = await find(request);
  const { removed } = await perform<{ removed: boolean }>('removeSegmentMember', request, { params: { id: segmentId, contactId } });
  return { contactId, removed };
}

const membersOfSegment = (request: Foreign) =>
  pagedList<Contact>(request, {
    operationId: 'listSegmentMembers',
    asked: { params: { id: request.params['segmentId'] } },
    idOf: ({ contactId }) => contactId,
    show: contactView,
  });

const all = (request: Foreign) =>
  pagedList<Contact>(request, {
    operationId: 'listContacts',
    idOf: ({ contactId }) => contactId,
    show: contactView,
    positionOf: async (id) => {
      const { createdAt, contactId } = await perform<Contact>('getContact', request, { params: { id } });
      return { at: new Date(createdAt), id: contactId };
    },
  });

async function segmentsOf(request: Foreign) {
  const { contactId } = await find(request);
  const joined = new Set((await membershipsOf(request.ctx.projectId, contactId)).map(({ segmentId }) => segmentId));
  return wholeList<z.output<typeof WireSegment>>(request, {
    operationId: 'listSegments',
    idOf: ({ segmentId }) => segmentId,
    show: segmentView,
    isListed: ({ segmentId }) => joined.has(segmentId),
  });
}

async function topicsOf(request: Foreign) {
  const { data } = await perform<z.output<typeof WireTopics>>('getContactTopics', request, byId(request));
  return listOf(
    sliceIn(data, ({ topicId }) => topicId, wantedOf(request.query)),
    ({ topicId, name, subscribed }) => ({
      id: topicId,
      name,
      description: null,
      subscription: subscribed ? 'opt_in' : 'opt_out',
    }),
  );
}

interface Field {
  readonly field: string;
  readonly type: string;
}

// A field is there as long as a contact has it: it is declared nowhere.
const propertyView = ({ field, type }: Field) => ({
  id: field,
  key: field,
  created_at: null,
  type: type === 'number' ? 'number' : 'string',
  fallback_value: null,
});

async function property(request: Foreign) {
  const found = await findRow<Field>('listContactFields', request, ({ field }) => field === request.params['id']);
  if (!found) throw notFound('Contact property');
  return found;
}

const NO_FALLBACK = { fallback_value: 'Fields have no fallback here: write it in the placeholder, {{data.plan | "free"}}' };

const IMPORT = 'POST /v1/contacts/import imports a CSV file.';

export const contactRoutes = [
  resend('POST /contacts', 'upsertContact', (request) => {
    const body = membersOf(request.body);
    return create(request, body, body['segments'] ? ids(body['segments'], 'segments') : []);
  }),
  resend('GET /contacts', 'listContacts', all),
  resend('GET /contacts/{id}', 'getContact', get),
  resend('PATCH /contacts/{id}', 'upsertContact', update),
  resend('DELETE /contacts/{id}', 'deleteContact', remove),
  resend('GET /contacts/{id}/segments', 'listSegments', segmentsOf),
  resend('POST /contacts/{id}/segments/{segmentId}', 'addSegmentMembers', async (request) => {
    const { segmentId = '' } = request.params;
    await join(request, segmentId, (await find(request)).email);
    return { id: segmentId };
  }),
  resend('DELETE /contacts/{id}/segments/{segmentId}', 'removeSegmentMember', async (request) => {
    const { segmentId = '' } = request.params;
    const { removed } = await leave(request, segmentId);
    return { id: segmentId, audienceId: segmentId, deleted: removed };
  }),
  resend('GET /contacts/{id}/topics', 'getContactTopics', topicsOf),
  resend('PATCH /contacts/{id}/topics', 'changeContactTopics', async (request) => {
    const { id = '' } = request.params;
    const topics = Array.isArray(request.body) ? request.body : membersOf(request.body)['topics'];
    await changeTopics(request, id, topics);
    return { id: contactIdOf(request.ctx, id) };
  }),
  ...(['audiences', 'segments'] as const).flatMap((name) => [
    resend(`GET /${name}/{segmentId}/contacts`, 'listSegmentMembers', membersOfSegment),
    resend(`POST /${name}/{segmentId}/contacts`, 'upsertContact', (request) =>
      create(request, membersOf(request.body), [request.params['segmentId']]),
    ),
    resend(`GET /${name}/{segmentId}/contacts/{id}`, 'getContact', get),
    resend(`PATCH /${name}/{segmentId}/contacts/{id}`, 'upsertContact', update),
    // The contact stays, in other segments and with its history: DELETE /contacts/{id} erases it.
    resend(`DELETE /${name}/{segmentId}/contacts/{id}`, 'removeSegmentMember', async (request) => {
      const { contactId, removed } = await leave(request, request.params['segmentId']);
      return { object: 'contact', contact: contactId, deleted: removed };
    }),
  ]),
  absent('POST /contacts/imports', IMPORT),
  absent('GET /contacts/imports', IMPORT),
  absent('GET /contacts/imports/{importId}', IMPORT),
];

export const propertyRoutes = [
  resend('POST /contact-properties', 'upsertContact', (request) => {
    const body = membersOf(request.body);
    refuse(body, NO_FALLBACK);
    const { key } = body;
    if (typeof key !== 'string') throw invalid('key', 'invalid_type', 'Missing; must be a text');
    return Promise.resolve({ object: 'contact_property', id: key });
  }),
  resend('GET /contact-properties', 'listContactFields', (request) =>
    wholeList<Field>(request, { operationId: 'listContactFields', idOf: ({ field }) => field, show: propertyView }),
  ),
  resend('GET /contact-properties/{id}', 'listContactFields', async (request) => ({
    object: 'contact_property',
    ...propertyView(await property(request)),
  })),
  resend('PATCH /contact-properties/{id}', 'upsertContact', async (request) => {
    refuse(membersOf(request.body), NO_FALLBACK);
    return { object: 'contact_property', id: (await property(request)).field };
  }),
  resend('DELETE /contact-properties/{id}', 'deleteContactField', async (request) => {
    const { field } = await property(request);
    await perform('deleteContactField', request, { params: { field } });
    return { object: 'contact_property', id: field, deleted: true };
  }),
];
