import { z } from 'zod';
import type { ErrorCode } from '../src/errors';
import type { Endpoint, List } from './http/endpoint';
import { STATUS } from './http/errors';
import { PAGE_QUERIES } from './http/cursor';
import { refusesScopes, scopesOf } from './http/scopes';
import { EXAMPLES } from './openapi-examples';
import { VERSION } from '../src/version';

type Json = Record<string, unknown>;

/** Every component has one shape, whether it is read or written. */
class Components {
  readonly schemas: Record<string, Json> = {};

  convert(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs, ...json } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any', override: tidy }) as Json & {
      $defs?: Json;
    };
    for (const [name, component] of Object.entries($defs ?? {})) this.add(name, component as Json);
    return withRefs(json);
  }

  private add(name: string, component: Json): void {
    const schema = withRefs(component);
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}`);
    this.schemas[name] = schema;
  }
}

/** A pattern beside a format says nothing more; bounds of safe integers say nothing at all. */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  delete jsonSchema.id;
  delete jsonSchema.$schema;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

const withRefs = ({ $schema: _, ...json }: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

function parametersOf(components: Components, schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = components.convert(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: where,
    ...(description !== undefined && { description }),
    required: where === 'path' || required.includes(name),
    schema: of,
  }));
}

const IDEMPOTENCY_HEADER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated key with the same body replays the stored answer; with another body it is 409. Kept 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function requestBody(components: Components, e: Endpoint): Json {
  if (e.raw) return { requestBody: { required: true, content: Object.fromEntries(e.raw.map((type) => [type, {}])) } };
  if (!e.body) return {};
  const required = !e.body.safeParse({}).success;
  const example = EXAMPLES[e.operationId]?.request;
  const content = { schema: components.convert(e.body, 'input'), ...(example !== undefined && { example }) };
  return { requestBody: { required, content: { 'application/json': content } } };
}

const object = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) });
const success = { type: 'boolean', const: true };
const arrayOf = (items: Json): Json => ({ type: 'array', items });

function envelope(components: Components, e: Endpoint): Json {
  const payload = components.convert(e.response, 'output');
  if (e.bare) return payload;
  if (!e.list) return object({ success, data: payload });
  return LISTS[e.list](arrayOf(payload));
}

const nextCursor = { type: ['string', 'null'] };
const onlyWhereThereIsMore = { type: 'string', description: 'Only where there is more than this answer may hold; the same in both places' };

const LISTS: Readonly<Record<List, (data: Json) => Json>> = {
  cursor: (data) => object({ success, data, nextCursor }),
  inner: (data) => object({ success, data: object({ data, nextCursor }), nextCursor }),
  whole: (data) => {
    const rows = { ...object({ data }), properties: { data, nextCursor: onlyWhereThereIsMore } };
    return { ...object({ success, data: rows }), properties: { success, data: rows, nextCursor: onlyWhereThereIsMore } };
  },
};

const ref = (kind: 'headers' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
function headersOf(e: Endpoint): Json {
  const names = ['X-Request-Id', ...(e.auth === 'none' ? [] : RATE_HEADERS), ...(e.idempotent ? ['X-Idempotent-Replay'] : [])];
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}

function okResponse(components: Components, e: Endpoint): Json {
  const example = EXAMPLES[e.operationId]?.response;
  const content = e.produces
    ? { [e.produces]: { schema: { type: 'string' } } }
    : { 'application/json': { schema: envelope(components, e), ...(example !== undefined && { example }) } };
  const answer = { description: e.summary, headers: headersOf(e), content };
  return { ...(e.mayBeThere && { 200: answer }), [e.status ?? 200]: answer };
}

const takesBody = (e: Endpoint): boolean => e.body !== undefined || e.raw !== undefined;

const idempotencyFailures = (e: Endpoint): readonly ErrorCode[] =>
  e.idempotent ? ['idempotency_key_reused', 'idempotency_in_progress'] : [];

const keyFailures = (e: Endpoint): readonly ErrorCode[] =>
  e.auth === 'none' ? [] : ['unauthorized', 'ambiguous_api_key', 'rate_limited', ...(refusesScopes(e) ? (['forbidden'] as const) : [])];

/** The failures that follow from the declaration, and those it names. */
function codesOf(e: Endpoint): Set<ErrorCode> {
  const codes: ErrorCode[] = [...(e.errors ?? []), ...idempotencyFailures(e), ...keyFailures(e), 'internal_error', 'unavailable'];
  if (e.params) codes.push('not_found');
  if (takesBody(e)) codes.push('payload_too_large', 'unsupported_media_type');
  if (takesBody(e) || e.params || e.query || e.list) codes.push('validation_error');
  if (!e.handle) codes.push('not_implemented');
  return new Set(codes);
}

function failures(e: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(e)) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, failure(e, status, codes)]));
}

const failure = (e: Endpoint, status: number, codes: readonly ErrorCode[]): Json => ({
  description: [...codes].sort().join(', '),
  headers: Object.fromEntries(failureHeaders(e, status).map((name) => [name, ref('headers', name)])),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function failureHeaders(e: Endpoint, status: number): readonly string[] {
  const rate = e.auth !== 'none' && (status === 403 || status === 409 || status === 429);
  return ['X-Request-Id', ...(rate ? RATE_HEADERS : []), ...(status === 429 ? ['Retry-After'] : [])];
}

function operation(components: Components, e: Endpoint): Json {
  return {
    operationId: e.operationId,
    summary: e.summary,
    ...(e.description !== undefined && { description: e.description }),
    tags: [e.tag],
    security: e.auth === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(e.auth !== 'none' && { 'x-key-scopes': scopesOf(e) }),
    parameters: [
      ...parametersOf(components, e.params, 'path'),
      ...parametersOf(components, e.query, 'query'),
      ...(e.list ? parametersOf(components, PAGE_QUERIES[e.list], 'query') : []),
      ...(e.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ],
    ...requestBody(components, e),
    ...(e.extension && { 'x-extension': true }),
    responses: { ...okResponse(components, e), ...failures(e) },
  };
}

const ErrorSchema = z.object({
  success: z.literal(false),
  error: z.string().meta({ description: 'For people; its wording may change' }),
  code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
  details: z
    .array(z.object({ path: z.string(), message: z.string(), code: z.string() }))
    .optional()
    .meta({ description: 'Only on validation_error and send_failed; `path` is dotted, e.g. messages.2.to' }),
});

const text = (description: string): Json => ({ description, schema: { type: 'string' } });
const integer = (description: string): Json => ({ description, schema: { type: 'integer' } });

const HEADERS = {
  'X-Request-Id': text('Name this id when you ask for help'),
  'RateLimit-Limit': integer(
    'Units that the bucket holds: of the project and one a message for sends, of the key and one a request elsewhere',
  ),
  'RateLimit-Remaining': integer('Whole units left in it'),
  'RateLimit-Reset': integer('Whole seconds until it is full'),
  'Retry-After': integer('Whole seconds after which to try again'),
  'X-Idempotent-Replay': text('true on a replay, absent otherwise'),
};

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret key (sk_…) or a test key (sk_test_…) of a scope in x-key-scopes; POST /v1/events also takes a public key (pk_…)',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key, where no Authorization header can be sent' },
};

/** The OpenAPI 3.1 description of the endpoints, from the schemas that validate. */
export function openApiDocument(endpoints: readonly Endpoint[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const e of endpoints) (paths[e.path] ??= {})[e.method] = operation(components, e);
  const tags = [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name }));
  const schemas = { ...components.schemas, Error: components.convert(ErrorSchema, 'output') };
  return {
    openapi: '3.1.0',
    info: { title: 'Lettermill API', version: VERSION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: { schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}
