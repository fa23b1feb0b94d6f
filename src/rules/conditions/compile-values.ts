import { ISO_PATTERN, spanOf } from './instants';
import { anyCasePattern, escapePattern, isAscii } from './text';
import { before } from './types';
import type { Interval, NumberOrder, Path, Scalar, TextPart, ValueTarget, ValueTest } from './types';

export type Query = Readonly<Record<string, unknown>>;

const anyOf = (queries: readonly Query[]): Query => (queries.length === 1 && queries[0] ? queries[0] : { $or: queries });

const ORDERS: Readonly<Record<NumberOrder, string>> = {
  greaterThan: '$gt',
  lessThan: '$lt',
  greaterThanOrEqual: '$gte',
  lessThanOrEqual: '$lte',
};

/** The query for one test of a value of the contact, in plain operators as far as there are any, so that indexes serve. */
export function valueQuery(target: ValueTarget, test: ValueTest, now: Date): Query {
  if (target.in === 'trigger') throw new Error('What started an automation is not in the database of contacts');
  const field = target.in === 'field' ? target.name : `data.${target.path.join('.')}`;
  const present = { [field]: { $type: ['string', 'number', 'bool', 'date', 'object', 'array'] } };
  if (test.is === 'present') return test.negated ? { $nor: [present] } : present;
  const passes = passing(target, field, test, now);
  return 'negated' in test && test.negated ? { $and: [present], $nor: [passes] } : passes;
}

function passing(target: ValueTarget, field: string, test: Exclude<ValueTest, { is: 'present' }>, now: Date): Query {
  switch (test.is) {
    case 'equal':
      return anyOf(equal(target, field, test.values));
    case 'text':
      return field === 'email' && test.part === 'startsWith' && isAscii(test.text)
        ? { email: { $regex: `^${escapePattern(test.text.toLowerCase())}` } }
        : { [field]: { $regex: PARTS[test.part](anyCasePattern(test.text)) } };
    case 'number':
      return { [field]: { [ORDERS[test.order]]: test.than } };
    case 'during':
      return during(target, field, test.interval);
    case 'age': {
      const at = before(now, test.ms).getTime();
      return during(target, field, test.older ? { from: null, to: at } : { from: at, to: null });
    }
  }
}

const PARTS: Readonly<Record<TextPart, (pattern: string) => string>> = {
  contains: (pattern) => pattern,
  startsWith: (pattern) => `\\A${pattern}`,
  endsWith: (pattern) => `${pattern}\\z`,
};

function equal(target: ValueTarget, field: string, values: readonly Scalar[]): readonly Query[] {
  const texts = values.filter((value) => typeof value === 'string');
  // Addresses are stored in small letters and ASCII: these compare as they are, by the index.
  const exact =
    field === 'email' ? texts.filter(isAscii).map((text) => text.toLowerCase()) : values.filter((value) => typeof value !== 'string');
  const patterns = (field === 'email' ? texts.filter((text) => !isAscii(text)) : texts).map(anyCasePattern);
  const spans = target.in === 'data' ? texts.map(spanOf).filter((span) => span !== null) : [];
  return [
    ...(exact.length > 0 ? [{ [field]: { $in: exact } }] : []),
    ...bundled(patterns).map((bundle) => ({ [field]: { $regex: `\\A(?:${bundle.join('|')})\\z` } })),
    ...spans.map((span) => during(target, field, span)),
  ];
}

/** Well under the 32,764 bytes that a pattern may have, at up to three bytes a character. */
const MAX_PATTERN = 8_000;

/** Patterns in as few lists as fit into one pattern each: one pass over the text for many of them. */
function bundled(patterns: readonly string[]): readonly (readonly string[])[] {
  const bundles: string[][] = [];
  let length = Infinity;
  for (const pattern of patterns) {
    length += pattern.length + 1;
    if (length > MAX_PATTERN) {
      bundles.push([]);
      length = pattern.length;
    }
    bundles.at(-1)?.push(pattern);
  }
  return bundles;
}

function during(target: ValueTarget, field: string, interval: Interval): Query {
  const limits = {
    ...(interval.from !== null && { $gte: new Date(interval.from) }),
    ...(interval.to !== null && { $lt: new Date(interval.to) }),
  };
  if (target.in === 'field') return { [field]: limits };
  // The pattern keeps contacts without a date from the costlier look.
  return { $and: [{ [field]: { $regex: `\\A${ISO_PATTERN}\\z` } }, { $expr: someDateDuring(target.path, interval) }] };
}

/** Dates in `data` are texts, as JSON has them. */
function someDateDuring(path: Path, { from, to }: Interval): Query {
  const limits = [
    ...(from !== null ? [{ $gte: ['$$at', new Date(from)] }] : []),
    ...(to !== null ? [{ $lt: ['$$at', new Date(to)] }] : []),
  ];
  const fits = { $and: [{ $ne: ['$$at', null] }, ...limits] };
  return { $anyElementTrue: [{ $map: { input: elementsAt(path), in: { $let: { vars: { at: INSTANT }, in: fits } } } }] };
}

const capture = (index: number) => ({ $ifNull: [{ $arrayElemAt: ['$$match.captures', index] }, ''] });

/** The instant of the ISO date in `$$this`, or null. */
const INSTANT = {
  $let: {
    vars: {
      match: {
        $cond: [{ $eq: [{ $type: '$$this' }, 'string'] }, { $regexFind: { input: '$$this', regex: `\\A${ISO_PATTERN}\\z` } }, null],
      },
    },
    in: { $dateFromString: { dateString: { $concat: [capture(0), capture(1), capture(2)] }, onError: null, onNull: null } },
  },
};

/** The elements of lists among the values, one level deep, as query operators see them. */
const spread = (values: unknown): Query => ({
  $reduce: {
    input: values,
    initialValue: [],
    in: { $concatArrays: ['$$value', { $cond: [{ $isArray: ['$$this'] }, '$$this', ['$$this']] }] },
  },
});

/** All values at a path into `data`, which may lead through lists of objects: an expression has no such notion by itself. */
function elementsAt(path: Path): Query {
  const into = (key: string) => ({
    $cond: [{ $eq: [{ $type: '$$this' }, 'object'] }, { $getField: { field: key, input: '$$this' } }, null],
  });
  return path.reduce<Query>((parents, key) => spread({ $map: { input: parents, as: 'this', in: into(key) } }), spread(['$data']));
}
