/** A JSON schema, as far as the API's document uses it. */
type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

const isOfType = (value: unknown, wanted: unknown): boolean =>
  [wanted].flat().some((type) => type === typeOf(value) || (type === 'number' && typeof value === 'number'));

/** Returns how a value differs from a schema, more strictly than JSON Schema: an object may have only the listed properties. */
export function faultsOf(schemas: Schemas, schema: Schema, value: unknown, path = ''): readonly string[] {
  const { $ref, anyOf, allOf } = schema as { $ref?: string; anyOf?: readonly Schema[]; allOf?: readonly Schema[] };
  if ($ref !== undefined) return faultsOf(schemas, schemas[$ref.split('/').pop() ?? ''] ?? { type: 'nothing' }, value, path);
  if (allOf) return allOf.flatMap((each) => faultsOf(schemas, each, value, path));
  if (anyOf) {
    const found = anyOf.map((each) => faultsOf(schemas, each, value, path));
    return found.find((faults) => faults.length === 0) ?? found.flat();
  }
  return [...ownFaults(schema, value, path), ...faultsWithin(schemas, schema, value, path)];
}

function ownFaults(schema: Schema, value: unknown, path: string): readonly string[] {
  const { type, const: only, enum: values } = schema as { type?: string | readonly string[]; const?: unknown; enum?: readonly unknown[] };
  return [
    ...(type !== undefined && !isOfType(value, type) ? [`${path} is of type ${typeOf(value)}, not ${[type].flat().join(' or ')}`] : []),
    ...('const' in schema && value !== only ? [`${path} is not ${String(only)}`] : []),
    ...(values && !values.includes(value) ? [`${path} is ${String(value)}, none of ${values.join(', ')}`] : []),
  ];
}

function faultsWithin(schemas: Schemas, schema: Schema, value: unknown, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const { items } = schema as { items?: Schema };
    return items ? value.flatMap((item, index) => faultsOf(schemas, items, item, `${path}.${index}`)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const {
    properties,
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Schemas;
    required?: readonly string[];
    additionalProperties?: unknown;
  };
  // Without properties it is what a caller gave.
  if (!properties) return additionalProperties === undefined && schema['type'] === 'object' ? [`${path} has no properties`] : [];
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name} is missing`);
  const held = Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return property ? faultsOf(schemas, property, member, `${path}.${name}`) : [`${path}.${name} is not documented`];
  });
  return [...missing, ...held];
}
