import type { z } from 'zod';

/** What zod says of a schema's make, of all its kinds. */
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

function kindsAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly Make[] {
  let kinds: readonly Make[] = plainKinds(schema);
  for (const segment of path) kinds = kinds.flatMap((make) => childAt(make, segment)).flatMap(plainKinds);
  return kinds;
}

/** Returns the keys that an object may have at a place in what a schema admits. */
export const keysAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => [
  ...new Set(kindsAt(schema, path).flatMap(({ shape }) => (shape ? Object.keys(shape) : []))),
];

/** Returns the literal values that are admitted there. */
export const valuesAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly unknown[] => [
  ...new Set(kindsAt(schema, path).flatMap(({ values }) => values ?? [])),
];
