import type { z } from 'zod';

/** zod's description of a schema, for all its kinds. */
interface Make {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly left?: Schema;
  readonly right?: Schema;
  readonly getter?: () => Schema;
  readonly values?: readonly unknown[];
}

interface Schema {
  readonly _zod: { readonly def: unknown };
}

const makeOf = (schema: Schema): Make => schema._zod.def as Make;

/** Returns what a pipe takes: where a function comes first, what follows it says more. */
const given = ({ in: first, out: second }: Make): Schema | undefined => (first && makeOf(first).type === 'transform' ? second : first);

/** Returns the objects, lists and records that a schema admits, through all wrappers. */
function plainKinds(schema: Schema): readonly Make[] {
  const make = makeOf(schema);
  const inner = make.innerType ?? given(make) ?? make.getter?.();
  if (inner) return plainKinds(inner);
  const several = make.options ?? (make.left && make.right ? [make.left, make.right] : null);
  return several ? several.flatMap(plainKinds) : [make];
}

const childAt = ({ shape, element, valueType }: Make, segment: PropertyKey): readonly Schema[] => {
  const child = shape ? (Object.hasOwn(shape, segment) ? shape[String(segment)] : undefined) : (element ?? valueType);
  return child ? [child] : [];
};

type Value = Readonly<Record<PropertyKey, unknown>>;

/** Returns whether each literal of an object schema, such as its type, has the value that the object has. Ignores members that are not text. */
const isNamedIn = (value: unknown, { shape }: Make): boolean =>
  Object.entries(shape ?? {}).every(([name, member]) => {
    const literals = makeOf(member).values;
    const named = (Object(value) as Value)[name];
    return literals === undefined || typeof named !== 'string' || literals.includes(named);
  });

/** Returns the schemas at a path in what a schema admits, of those objects on the way that the value names. */
function schemasAt(schema: Schema, path: readonly PropertyKey[], value: unknown): readonly Schema[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return [schema];
  const kinds = plainKinds(schema);
  const named = kinds.filter((make) => isNamedIn(value, make));
  const children = (named.length > 0 ? named : kinds).flatMap((make) => childAt(make, segment));
  return children.flatMap((child) => schemasAt(child, rest, (Object(value) as Value)[segment]));
}

function kindsAt(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): readonly Make[] {
  const kinds = schemasAt(schema, path, value).flatMap(plainKinds);
  const there = path.reduce<unknown>((holder, segment) => (Object(holder) as Value)[segment], value);
  const named = kinds.filter((make) => isNamedIn(there, make));
  return named.length > 0 ? named : kinds;
}

const keysOf = (kinds: readonly Make[]): readonly string[] => [...new Set(kinds.flatMap(({ shape }) => (shape ? Object.keys(shape) : [])))];

/** Returns the keys that an object may have at a path in what a schema admits; of several objects, of the one whose literals the value has. */
export const keysAt = (schema: z.ZodType, path: readonly PropertyKey[], value?: unknown): readonly string[] =>
  keysOf(kindsAt(schema, path, value));

/** Returns the literal values that are admitted there. */
export const valuesAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly unknown[] => [
  ...new Set(kindsAt(schema, path, undefined).flatMap(({ values }) => values ?? [])),
];

/** Returns, for each branch of the union at a path, the keys that an object of it may have. */
export const branchesAt = (schema: z.ZodType, path: readonly PropertyKey[], value: unknown): readonly (readonly string[])[] =>
  schemasAt(schema, path, value)
    .flatMap(optionsOf)
    .map((option) => keysOf(plainKinds(option)));

// The options of a union, through all wrappers.
function optionsOf(schema: Schema): readonly Schema[] {
  const make = makeOf(schema);
  const inner = make.innerType ?? given(make) ?? make.getter?.();
  return make.options ?? (inner ? optionsOf(inner) : []);
}

/** Returns the one member of an object that is a list; null where it has none, or several. */
export function listIn(schema: z.ZodType): string | null {
  const lists = plainKinds(schema).flatMap(({ shape }) =>
    Object.entries(shape ?? {}).flatMap(([name, member]) => (plainKinds(member).some(({ type }) => type === 'array') ? [name] : [])),
  );
  return lists.length === 1 ? (lists[0] ?? null) : null;
}
