import { PAGE_QUERIES } from '../http/cursor';
import type { Endpoint } from '../http/endpoint';
import { Components } from '../openapi/components';
import type { Json } from '../openapi/components';
import { parametersOf } from '../openapi/operation';
import { pascal } from '../openapi/pascal';
import type { Offer } from './offers';

/** The JSON Schema of an object, as tools have them. */
export interface ObjectSchema extends Json {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Json>>;
  readonly required: readonly string[];
}

/** The arguments of a tool. Those that are in neither `path` nor `query` are members of the body. */
export interface Arguments {
  readonly schema: ObjectSchema;
  readonly path: readonly string[];
  readonly query: readonly string[];
}

/** The argument that replaces the header. */
export const IDEMPOTENCY_KEY = 'idempotencyKey';

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Repeat a call with the same key and the same arguments, and nothing is done twice; kept for 24 hours',
};

/** Why a person should approve, where an operation is proposed. */
export const REASON = 'reason';

const reason = { type: 'string', minLength: 1, maxLength: 500, description: 'Why; the person who approves reads it' };

const file = { type: 'string', minLength: 1, description: 'The CSV file itself: a header line, and at most 10,000 rows' };

/** Members of a schema that only say how other members go together, or how a text is written: a call that breaks them gets an error. */
const LEFT_OUT: ReadonlySet<string> = new Set(['allOf', 'pattern', 'unevaluatedProperties', 'x-extension']);
/** Members that hold schemas by names. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs']);

/** Returns a schema without what takes more room in a model's context than it is worth. */
function brief(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(brief);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, BY_NAME.has(name) ? eachBrief(value as Json) : brief(value)]));
}

const eachBrief = (schemas: Json): Json => Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, brief(schema)]));

/** The answers of all tools, in brief: what is in `data` is described by the operation alone. */
export const ANSWER: ObjectSchema = {
  type: 'object',
  properties: { success: { const: true }, data: {} },
  required: ['success', 'data'],
};

const REF = /"#\/components\/schemas\/(\w+)"/g;

/** Returns a schema together with the components that it refers to. */
function alone<S extends Json>(components: Components, schema: S): S {
  const needed = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(REF)) {
      if (needed.has(name)) continue;
      needed.add(name);
      visit(components.schemas[name]);
    }
  };
  visit(schema);
  const defs = Object.fromEntries([...needed].map((name) => [name, components.schemas[name]]));
  const whole = needed.size > 0 ? { ...schema, $defs: defs } : schema;
  return JSON.parse(JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/')) as S;
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

const propertiesOf = (parameters: readonly Parameter[]): Record<string, Json> =>
  Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, ...(description !== undefined && { description }) }]),
  );

const namesOf = (parameters: readonly Parameter[]): readonly string[] => parameters.map(({ name }) => name);

const resolved = (components: Components, schema: Json): Json => {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema['$ref']))?.[1];
  return name === undefined ? schema : (components.schemas[name] ?? schema);
};

/** Returns the arguments that are not described by the operation's own schemas. */
const besides = (
  { idempotent, form }: Endpoint,
  { as = {}, proposes }: Offer,
  members: Readonly<Record<string, Json>>,
): Record<string, Json> => ({
  ...Object.fromEntries(Object.entries(as).map(([name, tool]) => [name, describedBy(tool, members[name])])),
  ...(form.takes && { file }),
  ...(proposes && { [REASON]: reason }),
  ...((idempotent || proposes) && { [IDEMPOTENCY_KEY]: idempotencyKey }),
});

/** Returns the schema of an argument that another tool describes; of a list, each of its entries is the arguments of that tool. */
const describedBy = (tool: string, { type }: Json = {}): Json =>
  type === 'array'
    ? { type, items: { type: 'object' }, description: `Each has the arguments of the tool ${tool}` }
    : { type: 'object', description: `As in the tool ${tool}` };

/** Describes the schemas of tools by the schemas that check requests and answers. */
export class ToolSchemas {
  private readonly components = new Components();

  /** Returns the arguments of an operation, except those that an offer leaves out. */
  argumentsOf(e: Endpoint, offer: Offer): Arguments {
    const { components } = this;
    const { without = [] } = offer;
    const path = parametersOf(components, e, e.request?.params, 'path') as unknown as readonly Parameter[];
    const paging = e.form.list ? parametersOf(components, e, PAGE_QUERIES[e.form.list], 'query') : [];
    const all = [...parametersOf(components, e, e.request?.query, 'query'), ...paging] as unknown as readonly Parameter[];
    const query = all.filter(({ name }) => !without.includes(name));
    const body = this.bodyOf(e);
    const members = Object.entries((body['properties'] ?? {}) as Record<string, Json>).filter(([name]) => !without.includes(name));
    const clash = members.find(([name]) => [...path, ...query].some((each) => each.name === name));
    if (clash) throw new Error(`${e.operationId} has two arguments ${clash[0]}`);
    const properties = {
      ...propertiesOf([...path, ...query]),
      ...Object.fromEntries(members),
      ...besides(e, offer, Object.fromEntries(members)),
    };
    const required = [
      ...[...path, ...query].flatMap((each) => (each.required ? [each.name] : [])),
      ...((body['required'] ?? []) as string[]),
      ...(e.form.takes ? ['file'] : []),
    ];
    const schema: ObjectSchema = { type: 'object', properties, required, additionalProperties: false };
    return { schema: brief(alone(components, schema)) as ObjectSchema, path: namesOf(path), query: namesOf(query) };
  }

  private bodyOf(e: Endpoint): Json {
    if (!e.request?.body) return {};
    const name = `${pascal(e.operationId)}Request`;
    return resolved(this.components, this.components.convert(e.request.body, 'input', name));
  }
}
