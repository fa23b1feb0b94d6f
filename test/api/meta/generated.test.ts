import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { aProject } from '../../support/platform/app';
import { Generator } from '../../support/generators/json-schema';
import type { JsonSchema } from '../../support/generators/json-schema';

jest.setTimeout(240_000);

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

interface Asked {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const REQUESTS = 3;
const SEED = Number(process.env['LETTERMILL_TEST_SEED'] ?? 20_261_127);

/** What a document cannot say: which names are taken, what there is, and the languages of templates, conditions and graphs. */
const BEYOND = new Set([
  'not_found',
  'invalid_template',
  'invalid_condition',
  'invalid_graph',
  'invalid_combination',
  'invalid_date',
  'invalid_header',
  'reserved_name',
  'invalid_cursor',
  'unverified_domain',
  'blocked_url',
  'no_from_address',
  'template_not_found',
  'template_render_failed',
  // Two instants and an interval that are too many steps together.
  'too_big at from',
  // An address that is suppressed by then.
  'invalid_string at to',
  // What the machine knows of time zones.
  'invalid_string at graph.nodes.config.timezone',
  'invalid_string at schedule.timezone',
  // What a rule of turns, or a cron expression, can say.
  'invalid_string at schedule.rrule',
  'invalid_string at schedule.cron',
  'invalid_string at timezone',
  'invalid_string at contact.timezone',
  'invalid_string at windows.timezone',
  'invalid_string at windows.fallback',
  'invalid_string at fallback',
  'invalid_string at parameters.fallback',
]);

const NOWHERE = 'none_0';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const ids: Record<string, string[]> = {};
let document: Document;
let generator: Generator;
let ajv: Ajv2020;

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Refers to the components that all schemas share, so that each of those is compiled once. */
const referring = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as JsonSchema;

/** Returns what breaks the schema, or null. */
function breach(schema: JsonSchema, value: unknown): string | null {
  const validate = compiled.get(schema) ?? ajv.compile(referring(schema));
  compiled.set(schema, validate);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

const follows = (schema: JsonSchema, value: unknown): boolean => breach(schema, value) === null;

beforeAll(async () => {
  document = (await app.api(null).get('/v1/openapi.json')).body as Document;
  ajv = addFormats(new Ajv2020({ strict: false }));
  ajv.addSchema({ $id: 'document', components: document.components });
  generator = new Generator(document.components.schemas, follows);
  await seed();
});

const KINDS = {
  contacts: 'contactId',
  templates: 'templateId',
  domains: 'domainId',
  segments: 'segmentId',
  campaigns: 'campaignId',
  workflows: 'workflowId',
  webhooks: 'webhookId',
  suppressions: 'suppressionId',
};

/** One of each kind, as its example has it, so that paths lead to something. */
async function seed(): Promise<void> {
  for (const [kind, member] of Object.entries(KINDS)) {
    const path = `/v1/${kind}`;
    const example = document.paths[path]?.['post']?.requestBody?.content['application/json']?.example;
    const { body } = await app
      .api()
      .post(path)
      .send(example as object);
    ids[kind] = [body.data[member] as string, NOWHERE];
  }
}

const bodyOf = (operation: Operation): JsonSchema | null => operation.requestBody?.content['application/json']?.schema ?? null;

const pathOf = (template: string): fc.Arbitrary<string> => {
  const kind = template.split('/')[2] ?? '';
  const values = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => (name === 'id' ? (ids[kind] ?? [NOWHERE]) : ['plan', NOWHERE]));
  return fc.tuple(...values.map((known) => fc.constantFrom(...known))).map((chosen) => {
    let next = 0;
    return template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(chosen[next++] ?? ''));
  });
};

const queryOf = ({ parameters }: Operation): fc.Arbitrary<Record<string, unknown>> => {
  const inQuery = parameters.filter(({ in: where, name }) => where === 'query' && name !== 'cursor');
  return fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, generator.of(schema)])), {
    requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
  });
};

/** Members of the example beside generated ones: so more requests come as far as to be carried out. */
const bodiesOf = (operation: Operation): fc.Arbitrary<unknown> => {
  const schema = bodyOf(operation);
  if (!schema) return fc.constant(undefined);
  const example = operation.requestBody?.content['application/json']?.example;
  const generated = generator.of(schema);
  if (typeof example !== 'object' || example === null) return generated;
  const names = Object.keys(example);
  const mixed = fc.tuple(generated, fc.subarray(names)).map(([body, kept]) => {
    const from = example as Record<string, unknown>;
    return { ...(body as object), ...Object.fromEntries(kept.map((name) => [name, from[name]])) };
  });
  return fc.oneof(generated, mixed).filter((body) => follows(schema, body));
};

async function ask(method: string, { path, query, body }: Asked): Promise<{ status: number; type: string; answer: unknown }> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();
  const response = await fetch(`${app.url}${path}${search === '' ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${app.keys.secret}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const text = await response.text();
  return { status: response.status, type, answer: type === 'application/json' ? JSON.parse(text) : text };
}

function responseOf(operation: Operation, status: number): { readonly content?: Content } | undefined {
  const said = operation.responses[String(status)];
  return said?.$ref === undefined ? said : document.components.responses[said.$ref.split('/').at(-1) ?? ''];
}

/** Returns what is wrong with an answer by the document, or null. */
function faultOf(operation: Operation, { status, type, answer }: Awaited<ReturnType<typeof ask>>): string | null {
  if (status >= 500 && status !== 501) return `${status}: ${JSON.stringify(answer)}`;
  const response = responseOf(operation, status);
  if (!response) return `${status} is not in the document: ${JSON.stringify(answer)}`;
  const schema = response.content?.[type]?.schema;
  if (!schema) return `${status} as ${type} is not in the document`;
  const broken = type === 'application/json' ? breach(schema, answer) : null;
  return broken && `${status}: ${broken} in ${JSON.stringify(answer).slice(0, 500)}`;
}

const isBeyond = (answer: unknown): boolean => {
  const { details = [] } = answer as { details?: readonly { code: string; path: string }[] };
  return (
    details.length > 0 && details.every(({ code, path }) => BEYOND.has(code) || BEYOND.has(`${code} at ${path.replaceAll(/\.\d+/g, '')}`))
  );
};

const OPERATIONS_LAST = ['delete'];

const operations = (): [method: string, template: string, operation: Operation][] =>
  Object.entries(document.paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, string, Operation] => [method, template, operation]),
    )
    .sort(([a], [b]) => Number(OPERATIONS_LAST.includes(a)) - Number(OPERATIONS_LAST.includes(b)));

test('requests that follow the document are answered as it says, and refused for nothing that it could have said', async () => {
  const wrong: unknown[] = [];
  for (const [method, template, operation] of operations()) {
    const requests = fc.sample(fc.record({ path: pathOf(template), query: queryOf(operation), body: bodiesOf(operation) }), {
      numRuns: REQUESTS,
      seed: SEED,
    });
    for (const asked of requests) {
      const answered = await ask(method, asked);
      const fault = faultOf(operation, answered);
      const refused = answered.status === 422 && !isBeyond(answered.answer);
      if (fault !== null || refused) wrong.push([operation.operationId, asked, fault ?? answered.answer]);
    }
  }
  expect(wrong).toEqual([]);
});

/** Returns bodies that a schema rules out, each by one member of a good one. */
function spoiled(schema: JsonSchema, body: Record<string, unknown>): unknown[] {
  const { properties = {} } = generator.resolved(schema);
  const names = Object.keys(properties);
  const without = names.map((name) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)));
  const otherwise = names.flatMap((name) => [{}, 'x'.repeat(70_000)].map((value) => ({ ...body, [name]: value })));
  return [[], 'text', { ...body, none_such: 1 }, ...without, ...otherwise].filter((changed) => !follows(schema, changed));
}

test('bodies that break the document are refused', async () => {
  const wrong: unknown[] = [];
  for (const [method, template, operation] of operations()) {
    const schema = bodyOf(operation);
    if (!schema) continue;
    const [asked] = fc.sample(fc.record({ path: pathOf(template), query: queryOf(operation), body: bodiesOf(operation) }), {
      numRuns: 1,
      seed: SEED,
    });
    for (const body of spoiled(schema, asked?.body as Record<string, unknown>)) {
      const answered = await ask(method, { ...(asked as Asked), body });
      const fault = faultOf(operation, answered);
      if (fault !== null || answered.status < 400) wrong.push([operation.operationId, body, fault ?? answered.answer]);
    }
  }
  expect(wrong).toEqual([]);
});
