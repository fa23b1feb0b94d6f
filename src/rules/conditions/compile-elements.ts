import type { Path, ValueTarget } from './types';

type Expression = Readonly<Record<string, unknown>>;

/** Returns the elements of lists among the values, one level deep, as query operators see them. */
const spread = (values: unknown): Expression => ({
  $reduce: {
    input: values,
    initialValue: [],
    in: { $concatArrays: ['$$value', { $cond: [{ $isArray: ['$$this'] }, '$$this', ['$$this']] }] },
  },
});

/** Returns all values at a path into `data`, which may lead through lists of objects: an expression has no such notion by itself. */
function elementsAt(path: Path): Expression {
  const into = (key: string) => ({
    $cond: [{ $eq: [{ $type: '$$this' }, 'object'] }, { $getField: { field: key, input: '$$this' } }, null],
  });
  return path.reduce<Expression>((parents, key) => spread({ $map: { input: parents, as: 'this', in: into(key) } }), spread(['$data']));
}

/** Returns whether something holds for a value at the target, which is `$$this` in `holds`. */
export const someElement = (target: ValueTarget, holds: unknown): Expression => ({
  $anyElementTrue: [{ $map: { input: target.in === 'field' ? [`$${target.name}`] : elementsAt(target.path), as: 'this', in: holds } }],
});
