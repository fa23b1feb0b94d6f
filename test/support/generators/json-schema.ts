import fc from 'fast-check';

/** The part of JSON Schema 2020-12 that the API's document is written in. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
}

const HOUR_MS = 3_600_000;
const MOST_TEXT = 40;
const MOST_ITEMS = 3;
/** Deeper, what may be left out is left out, and nothing contains itself. */
const DEEP = 4;

const FORMATS: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  email: () =>
    fc
      .tuple(fc.stringMatching(/^[a-z0-9]{1,12}$/), fc.constantFrom('example.com', 'hello.test'))
      .map(([local, domain]) => `${local}@${domain}`),
  uri: () => fc.webUrl({ validSchemes: ['https'] }),
  'date-time': () => fc.integer({ min: 2, max: 24 * 30 }).map((hours) => new Date(Date.now() + hours * HOUR_MS).toISOString()),
};

/** A part of an object's schema and the schema itself, as one. */
const joined = (schema: JsonSchema, part: JsonSchema): JsonSchema => ({
  ...schema,
  ...part,
  ...((schema.properties ?? part.properties) && { properties: joinedProperties(schema.properties ?? {}, part.properties ?? {}) }),
  ...((schema.required ?? part.required) && { required: [...new Set([...(schema.required ?? []), ...(part.required ?? [])])] }),
});

function joinedProperties(a: NonNullable<JsonSchema['properties']>, b: NonNullable<JsonSchema['properties']>): Record<string, JsonSchema> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => [name, a[name] && b[name] ? joined(a[name], b[name]) : ((a[name] ?? b[name]) as JsonSchema)]),
  );
}

type TextSchema = { readonly [K in 'pattern' | 'format' | 'contentEncoding' | 'minLength' | 'maxLength']: JsonSchema[K] | undefined };

const nameIn = ({ $ref }: JsonSchema): string | null => $ref?.split('/').at(-1) ?? null;
const choicesOf = ({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined => anyOf ?? oneOf;

/** Returns the schemas of values that every valid value contains. */
function neededIn({ properties = {}, required = [], items = {}, minItems = 0 }: JsonSchema): readonly JsonSchema[] {
  return [...required.map((name) => properties[name] ?? {}), ...(minItems > 0 ? [items] : [])];
}

/** Generates values that follow a schema, except for `not` and for what joined schemas rule out together: `follows` filters those. */
export class Generator {
  private readonly made = new Map<JsonSchema, Map<number, fc.Arbitrary<unknown>>>();
  /** Cached by their constraints: most of the time to prepare all values goes into texts. */
  private readonly texts = new Map<string, fc.Arbitrary<string>>();

  constructor(
    private readonly components: Readonly<Record<string, JsonSchema>>,
    private readonly follows: (schema: JsonSchema, value: unknown) => boolean,
  ) {}

  /** Returns values that follow the schema. */
  of(schema: JsonSchema): fc.Arbitrary<unknown> {
    return this.any(schema, 0).filter((value) => this.follows(schema, value));
  }

  resolved(schema: JsonSchema): JsonSchema {
    const name = nameIn(schema);
    if (name === null) return schema;
    const { $ref: _, ...rest } = schema;
    return joined(this.resolved(this.components[name] ?? {}), rest);
  }

  private any(given: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const known = this.made.get(given)?.get(depth);
    if (known) return known;
    const made = this.make(given, depth);
    this.made.set(given, (this.made.get(given) ?? new Map<number, fc.Arbitrary<unknown>>()).set(depth, made));
    return made;
  }

  /** Returns the least depth of a value; infinite if it must contain itself. */
  private leastDepth(schema: JsonSchema, within: readonly string[] = []): number {
    const name = nameIn(schema);
    if (name !== null && within.includes(name)) return Infinity;
    const inside = name === null ? within : [...within, name];
    const depthOf = (part: JsonSchema): number => this.leastDepth(part, inside);
    const choices = choicesOf(schema)?.map(depthOf) ?? [0];
    const parts = [...(schema.allOf ?? []), ...(name === null ? [] : [this.components[name] ?? {}])];
    return Math.max(Math.min(...choices), ...parts.map(depthOf), ...neededIn(schema).map((part) => 1 + depthOf(part)));
  }

  private make(given: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const schema = this.resolved(given);
    if (schema.allOf) return this.any(this.withoutAllOf(schema, schema.allOf), depth);
    const choices = choicesOf(schema);
    return choices ? this.choice(schema, choices, depth) : this.single(schema, depth);
  }

  /** Merges the first of the parts, with its alternatives, into the schema itself. */
  private withoutAllOf(schema: JsonSchema, [part = {}, ...others]: readonly JsonSchema[]): JsonSchema {
    const { allOf: _, ...own } = schema;
    const { anyOf: alternatives = [{}], ...common } = this.resolved(part);
    const rest = joined({ ...own, ...(others.length > 0 && { allOf: others }) }, common);
    return { ...rest, oneOf: alternatives.map((choice) => joined(rest, this.resolved(choice))) };
  }

  private choice(
    { anyOf: _any, oneOf: _one, ...schema }: JsonSchema,
    choices: readonly JsonSchema[],
    depth: number,
  ): fc.Arbitrary<unknown> {
    const joint = choices.map((choice) => joined(schema, this.resolved(choice)));
    const depths = joint.map((choice) => this.leastDepth(choice));
    const chosen = depth > DEEP ? joint.filter((__, index) => depths[index] === Math.min(...depths)) : joint;
    return fc.oneof(...chosen.map((choice) => this.any(choice, depth + 1)));
  }

  private single(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.type !== undefined) return fc.oneof(...[schema.type].flat().map((type) => this.typed(type, schema, depth)));
    return schema.properties || schema.required ? this.object(schema, depth) : fc.jsonValue({ maxDepth: 1 });
  }

  private typed(type: string, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    if (type === 'null') return fc.constant(null);
    if (type === 'boolean') return fc.boolean();
    if (type === 'string') return this.text(schema);
    if (type === 'array') return this.array(schema, depth);
    if (type === 'object') return this.object(schema, depth);
    const { minimum = schema.exclusiveMinimum === undefined ? -1_000 : schema.exclusiveMinimum + 1, maximum = minimum + 2_000 } = schema;
    const whole = fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31 - 1) });
    return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }));
  }

  private text({ pattern, format, contentEncoding, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
    const asked = { pattern, format, contentEncoding, minLength, maxLength };
    const key = JSON.stringify(asked);
    const made = this.texts.get(key) ?? this.textOf(asked);
    this.texts.set(key, made);
    return made;
  }

  private textOf({ pattern, format, contentEncoding, minLength = 0, maxLength = MOST_TEXT }: TextSchema): fc.Arbitrary<string> {
    const made = FORMATS[format ?? '']?.();
    if (made) return made;
    if (contentEncoding === 'base64') return fc.base64String({ maxLength: MOST_TEXT });
    const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: Math.max(minLength, MOST_TEXT) }).filter(fits);
    return fc.string({ minLength, maxLength: Math.min(maxLength, Math.max(minLength, MOST_TEXT)), unit: 'grapheme' }).filter(fits);
  }

  private array({ items = {}, minItems = 0, maxItems = MOST_ITEMS }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const maxLength = depth > DEEP ? minItems : Math.min(maxItems, Math.max(minItems, MOST_ITEMS));
    if (maxLength === 0) return fc.constant([]);
    return fc.array(this.any(items, depth + 1), { minLength: minItems, maxLength });
  }

  private object(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
    const known = Object.keys(properties).filter((name) => depth <= DEEP || required.includes(name));
    const fields = Object.fromEntries(known.map((name) => [name, this.any(properties[name] ?? {}, depth + 1)]));
    const named = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
    if (typeof additionalProperties !== 'object' || depth > DEEP) return named;
    const free = fc.dictionary(
      this.text({ pattern: '^[a-z]{1,8}$', ...(propertyNames && this.resolved(propertyNames)) }),
      this.any(additionalProperties, depth + 1),
      {
        maxKeys: MOST_ITEMS,
        noNullPrototype: true,
      },
    );
    return fc.tuple(free, named).map(([others, own]) => ({ ...others, ...own }));
  }
}
