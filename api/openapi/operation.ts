import type { z } from 'zod';
import { PAGE_QUERIES } from '../http/cursor';
import type { Endpoint, List } from '../http/endpoint';
import { rolesOf, scopesOf } from '../http/scopes';
import type { Components, Json } from './components';
import { failures } from './failures';
import { wordFor } from './words';
import { pascal } from './pascal';
import answers from './answers.json';
import { STORY } from './story';
import type { Given } from './story-parts';

const JSON_TYPE = 'application/json';

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key with the same body replays the stored response; with another body the response is 409. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Returns what the document says of the parameters of an endpoint in a path or a query. */
export function parametersOf(components: Components, e: Endpoint, schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.convert(schema, 'input', e.operationId) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const given = exampleOf(e.operationId)?.[where];
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: where,
    description: description ?? wordFor(name, e.operationId),
    required: where === 'path' || required.includes(name),
    schema: of,
    ...(given?.[name] !== undefined && { example: given[name] }),
  }));
}

interface Example extends Given {
  /** The server's recorded answer, with the ids of the story. */
  readonly answer?: unknown;
}

const ANSWERS = answers as Readonly<Record<string, unknown>>;

const EXAMPLES: ReadonlyMap<string, Example> = new Map(
  STORY.map(([operationId, given]) => [operationId, { ...given, answer: ANSWERS[operationId] }]),
);

/** Returns what the document shows of a call of an operation. */
const exampleOf = (operationId: string): Example | undefined => EXAMPLES.get(operationId);

/** Returns a file, in each of the forms that it may come in. */
function upload(e: Endpoint, types: readonly string[]): Json {
  if (!types.includes('multipart/form-data'))
    return { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])) };
  const example = exampleOf(e.operationId)?.file;
  const file = { type: 'string', format: 'binary', description: 'The CSV file: UTF-8, its first row names the columns' };
  const forms: Readonly<Record<string, Json>> = {
    'multipart/form-data': {
      schema: { $ref: `#/components/schemas/${pascal(e.operationId)}Request` },
      encoding: { file: { contentType: 'text/csv' } },
    },
    'text/csv': { schema: { type: 'string' }, ...(example !== undefined && { example }) },
  };
  return {
    component: { type: 'object', description: 'The body of a form with a file', properties: { file }, required: ['file'] },
    content: Object.fromEntries(types.map((type) => [type, forms[type] ?? {}])),
  };
}

function requestBody(components: Components, e: Endpoint): Json {
  const { body } = e.request ?? {};
  if (e.form.takes) {
    const { component, content } = upload(e, e.form.takes);
    if (component) components.schemas[`${pascal(e.operationId)}Request`] = component as Json;
    return { requestBody: { required: true, content } };
  }
  if (!body) return {};
  const required = !body.safeParse({}).success;
  const schema = components.named(`${pascal(e.operationId)}Request`, body, 'input', `The body of \`${e.operationId}\``);
  const example = exampleOf(e.operationId)?.body;
  return { requestBody: { required, content: { 'application/json': { schema, ...(example !== undefined && { example }) } } } };
}

const object = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) });
const success = { type: 'boolean', const: true, description: 'Always true; a failure returns `Error`' };
const arrayOf = (items: Json): Json => ({ type: 'array', items, description: 'The rows' });

/** Returns the schema of the body of a success. */
function envelope(components: Components, e: Endpoint): Json {
  const payload = components.convert(e.response, 'output', e.operationId);
  const { list, produces = JSON_TYPE, bare } = e.form;
  if (bare || produces !== JSON_TYPE) return payload;
  if (!list) return object({ success, data: payload });
  return LISTS[list](arrayOf(payload));
}

const nextCursor = { type: ['string', 'null'], description: 'The `cursor` of the next page; null at the end' };
const onlyOfPages = {
  ...nextCursor,
  description: 'Only with `limit` or `cursor`: the `cursor` of the next page, the same in both places; null at the end',
};
const inner = (rows: Json): Json => ({ ...rows, description: 'The rows, in a member of their own' });

const LISTS: Readonly<Record<List, (data: Json) => Json>> = {
  cursor: (data) => object({ success, data, nextCursor }),
  inner: (data) => object({ success, data: inner(object({ data, nextCursor })), nextCursor }),
  whole: (data) => {
    const rows = inner({ ...object({ data }), properties: { data, nextCursor: onlyOfPages } });
    return { ...object({ success, data: rows }), properties: { success, data: rows, nextCursor: onlyOfPages } };
  },
};

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function headersOf(e: Endpoint): Json {
  const names = [
    'X-Request-Id',
    'X-Lettermill-Warning',
    ...(e.access === 'none' ? [] : RATE_HEADERS),
    ...(e.idempotent ? ['X-Idempotent-Replay'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function okResponse(components: Components, e: Endpoint): Json {
  const example = exampleOf(e.operationId)?.answer;
  const schema = envelope(components, e);
  const content = {
    [e.form.produces ?? JSON_TYPE]: { schema, ...(example !== undefined && { example }) },
    ...(e.streams !== undefined && { [e.streams]: { schema: { type: 'string' } } }),
  };
  const answer = { description: e.summary, headers: headersOf(e), content };
  return Object.fromEntries([e.status ?? 200].flat().map((status) => [status, answer]));
}

/** Returns what the document says of an endpoint. */
export function operation(components: Components, e: Endpoint): Json {
  return {
    operationId: e.operationId,
    summary: e.summary,
    ...(e.description !== undefined && { description: e.description }),
    tags: [e.tag],
    security: e.access === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(e.access !== 'none' && { 'x-key-scopes': scopesOf(e), 'x-roles': rolesOf(e) }),
    parameters: [
      ...parametersOf(components, e, e.request?.params, 'path'),
      ...parametersOf(components, e, e.request?.query, 'query'),
      ...(e.form.list ? parametersOf(components, e, PAGE_QUERIES[e.form.list], 'query') : []),
      ...(e.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ],
    ...requestBody(components, e),
    ...(e.extension && { 'x-extension': true }),
    responses: { ...okResponse(components, e), ...failures(components, e) },
  };
}
