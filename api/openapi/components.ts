import { z } from 'zod';
import { wordFor } from './words';

export type Json = Record<string, unknown>;

/** Every component has one shape, whether it is read or written. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly responses: Record<string, Json> = {};

  /** Returns the JSON Schema of what is sent or answered; those with an id are components, and referred to. */
  convert(schema: z.ZodType, io: 'input' | 'output', owner: string): Json {
    const { $defs, ...json } = z.toJSONSchema(schema, { io, reused: 'inline', unrepresentable: 'any', override: tidy(io) }) as Json & {
      $defs?: Json;
    };
    for (const [name, component] of Object.entries($defs ?? {})) this.add(name, withRefs(component as Json));
    return described(owner, withRefs(json)) as Json;
  }

  /** Converts a schema like `convert`, as a component of this name unless it is one already. */
  named(name: string, schema: z.ZodType, io: 'input' | 'output', description: string): Json {
    const converted = this.convert(schema, io, name);
    if (typeof converted['$ref'] === 'string') return converted;
    this.add(name, { description, ...converted });
    return { $ref: `#/components/schemas/${name}` };
  }

  private add(name: string, component: Json): void {
    const word = wordFor(name);
    const schema = withoutDefaults(described(name, { ...(word !== undefined && { description: word }), ...component })) as Json;
    const known = this.schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two schemas are called ${name}`);
    this.schemas[name] = schema;
  }
}

/**
 * Removes what is redundant: a pattern next to a format, and bounds of safe integers. A flag is a text only on the wire; answers may gain
 * members.
 */
const tidy =
  (io: 'input' | 'output') =>
  ({ jsonSchema }: { jsonSchema: Json }): void => {
    delete jsonSchema['id'];
    delete jsonSchema['$schema'];
    if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern'];
    else if (typeof jsonSchema['pattern'] === 'string')
      jsonSchema['pattern'] = jsonSchema['pattern'].replaceAll(String.raw`\0`, String.raw`\x00`);
    if (jsonSchema['type'] === 'boolean') delete jsonSchema['enum'];
    if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
    if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
    if (io === 'output' && jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  };

const refsIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string);

/** Returns the components, each after those it refers to: some generators read them once, from first to last. */
export function inOrder(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  const ordered = new Map<string, Json>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (!schema || visited.has(name)) return;
    visited.add(name);
    refsIn(schema).forEach(visit);
    ordered.set(name, schema);
  };
  Object.keys(schemas).forEach(visit);
  return Object.fromEntries(ordered);
}

const withRefs = ({ $schema: _, ...json }: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

/** Returns a schema whose properties all say what they are: those without a description of their own get the word for their name. */
function described(owner: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => described(owner, entry));
  if (typeof value !== 'object' || value === null) return value;
  const { properties, ...rest } = value as { readonly properties?: Readonly<Record<string, Json>> };
  const inner = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, described(owner, member)]));
  if (!properties) return inner;
  return { ...inner, properties: Object.fromEntries(Object.entries(properties).map((property) => withWord(owner, ...property))) };
}

// A default is said in words: some generators take a member that has one for one that must be given.
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== 'object' || value === null) return value;
  const { default: fallback, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === 'properties' ? eachWithoutDefaults(member as Json) : withoutDefaults(member),
    ]),
  );
  return fallback === undefined
    ? rest
    : { ...rest, description: `${String(rest['description'])}; default \`${JSON.stringify(fallback)}\`` };
}

const eachWithoutDefaults = (properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withoutDefaults(schema)]));

const admitsNull = ({ type, anyOf, enum: values }: Json): boolean =>
  [type].flat().includes('null') ||
  (Array.isArray(anyOf) && anyOf.some((each) => admitsNull(each as Json))) ||
  (Array.isArray(values) && values.includes(null));

// A word says what null means, wherever its name may have it; where it may not, that is left out.
const fitting = (word: string | undefined, schema: Json): string | undefined =>
  admitsNull(schema) ? word : word?.replace(/; null .*$/, '');

// Readers of the rendered reference see no `x-extension`.
const withMark = (word: unknown, schema: Json): unknown =>
  schema['x-extension'] !== true || typeof word !== 'string' || /\bextension\b/i.test(word)
    ? word
    : `${word}; an extension of this implementation`;

function withWord(owner: string, name: string, schema: Json): [string, Json] {
  const word = withMark(schema['description'] ?? schema['$ref'] ?? fitting(wordFor(name, owner), schema), schema);
  return [
    name,
    {
      ...(described(owner, schema) as Json),
      ...(word !== undefined && (schema['$ref'] === undefined || schema['x-extension'] === true) && { description: word }),
    },
  ];
}
