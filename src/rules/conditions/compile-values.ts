import { ISO_PATTERN, daysAndInstants } from './instants';
import { escapePattern, isAscii, anyCasePattern, foldCase } from './text';
import { before } from './types';
import type { Interval, NumberOrder, Scalar, ValueTarget, ValueTest, Path, TextPart } from './types';

export type Query = Readonly<Record<string, unknown>>;

const anyOf = (queries: readonly Query[]): Query => (queries.length === 1 && queries[0] ? queries[0] : { $or: queries });

const ORDERS: Readonly<Record<NumberOrder, string>> = {
  greaterThan: '$gt',
  lessThan: '$lt',
  greaterThanOrEqual: '$gte',
  lessThanOrEqual: '$lte',
};

/** Returns the query for one test of a value of the contact, in plain operators as far as there are any, so that indexes serve. */
export function valueQuery(target: ValueTarget, test: ValueTest, now: Date): Query {
  if (target.in === 'trigger' || target.in === 'items') throw new Error('What started an automation is not in the database of contacts');
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
      return isBeginning(field, test)
        ? { email: { $regex: `^${escapePattern(test.text.toLowerCase())}` } }
        : textQuery(field, test.part, test.text);
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

/** Returns whether a test asks for the start of an address, which is stored in lower case: the index serves it. */
const isBeginning = (field: string, { part, text }: Extract<ValueTest, { is: 'text' }>): boolean =>
  field === 'email' && part === 'startsWith' && isAscii(text);

function equal(target: ValueTarget, field: string, values: readonly Scalar[]): readonly Query[] {
  const texts = values.filter((value) => typeof value === 'string');
  // Addresses are stored in small letters and ASCII: these compare as they are, by the index.
  const exact =
    field === 'email' ? texts.filter(isAscii).map((text) => text.toLowerCase()) : values.filter((value) => typeof value !== 'string');
  const folded = field === 'email' ? texts.filter((text) => !isAscii(text)) : texts;
  return [
    ...(exact.length > 0 ? [{ [field]: { $in: exact } }] : []),
    ...oneOfTexts(field, folded),
    ...(target.in === 'data' ? onDates(target, field, texts) : []),
  ];
}

function during(target: ValueTarget, field: string, interval: Interval): Query {
  if (target.in === 'field') {
    const { from, to } = interval;
    return { [field]: { ...(from !== null && { $gte: new Date(from) }), ...(to !== null && { $lt: new Date(to) }) } };
  }
  const limits = [
    ...(interval.from !== null ? [{ $gte: ['$$at', new Date(interval.from)] }] : []),
    ...(interval.to !== null ? [{ $lt: ['$$at', new Date(interval.to)] }] : []),
  ];
  return someDate(target, field, { $and: limits });
}

/** Matches any of the dates among the texts, all of them looked up at once. */
function onDates(target: ValueTarget, field: string, texts: readonly string[]): readonly Query[] {
  const { days, instants } = daysAndInstants(texts);
  const isOneOf = (at: unknown, times: Iterable<number>) => ({ $in: [at, { $literal: Array.from(times, (time) => new Date(time)) }] });
  const meant = [
    ...(instants.size > 0 ? [isOneOf('$$at', instants)] : []),
    ...(days.size > 0 ? [isOneOf({ $dateTrunc: { date: '$$at', unit: 'day' } }, days)] : []),
  ];
  return meant.length > 0 ? [someDate(target, field, { $or: meant })] : [];
}

// Dates in `data` are texts, as JSON has them. The pattern keeps contacts without a date from the costlier check.
function someDate(target: ValueTarget, field: string, fits: unknown): Query {
  const holds = { $let: { vars: { at: INSTANT }, in: { $and: [{ $ne: ['$$at', null] }, fits] } } };
  return { $and: [{ [field]: { $regex: `\\A${ISO_PATTERN}\\z` } }, { $expr: someElement(target, holds) }] };
}

type Expression = Readonly<Record<string, unknown>>;

/** Returns the elements of lists among the values, one level deep, as query operators see them. */
const spread = (values: unknown): Expression => ({
  $reduce: {
    input: values,
    initialValue: [],
    in: { $concatArrays: ['$$value', { $cond: [{ $isArray: ['$$this'] }, '$$this', ['$$this']] }] },
  },
});

/** Returns all values at a path into `data`, which may lead through lists of objects: aggregation expressions cannot do that on their own. */
function elementsAt(path: Path): Expression {
  const into = (key: string) => ({
    $cond: [{ $eq: [{ $type: '$$this' }, 'object'] }, { $getField: { field: key, input: '$$this' } }, null],
  });
  return path.reduce<Expression>((parents, key) => spread({ $map: { input: parents, as: 'this', in: into(key) } }), spread(['$data']));
}

/** Returns whether something holds for a value at the target, which is `$$this` in `holds`. */
const someElement = (target: ValueTarget, holds: unknown): Expression => ({
  $anyElementTrue: [{ $map: { input: target.in === 'field' ? [`$${target.name}`] : elementsAt(target.path), as: 'this', in: holds } }],
});

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

type Part = TextPart | 'whole';

/**
 * A pattern may have 32,764 bytes, and 64 KiB once it is compiled, in which a letter with its variants takes up to 33 bytes. Counted generously, so that
 * also what joins texts in one pattern is counted.
 */
const MOST = 32_000;
const OF_ASCII = 4;
const OF_OTHERS = 40;
const OF_A_TEXT = 16;

const costOf = (text: string): number =>
  OF_A_TEXT + OF_ASCII * text.length + (OF_OTHERS - OF_ASCII) * (text.match(/\P{ASCII}/gu)?.length ?? 0);

const PARTS: Readonly<Record<Part, (pattern: string) => string>> = {
  whole: (pattern) => `\\A(?:${pattern})\\z`,
  contains: (pattern) => pattern,
  startsWith: (pattern) => `\\A${pattern}`,
  endsWith: (pattern) => `${pattern}\\z`,
};

/** Matches a value that contains a text, ignoring case. */
const textQuery = (field: string, part: Part, text: string): Query => ({ [field]: { $regex: PARTS[part](anyCasePattern(text)) } });

/** Matches a value that is one of the texts, ignoring case, with as few comparisons as possible. */
const oneOfTexts = (field: string, texts: readonly string[]): readonly Query[] =>
  bundled([...new Set(texts.map(foldCase))].sort()).map((bundle) => ({ [field]: { $regex: PARTS.whole(alternatives(bundle)) } }));

function bundled(texts: readonly string[]): readonly (readonly string[])[] {
  const bundles: string[][] = [];
  let cost = Infinity;
  for (const text of texts) {
    cost += costOf(text);
    if (cost > MOST) {
      bundles.push([]);
      cost = costOf(text);
    }
    bundles.at(-1)?.push(text);
  }
  return bundles;
}

/** Brackets nest up to 250 levels in a pattern. */
const MAX_LEVELS = 50;

/** Returns a pattern for texts in order, their common beginnings written once: a value that is in none of a long list fails by its first letters. */
function alternatives(texts: readonly string[], level = 0): string {
  if (level === MAX_LEVELS) return texts.map(anyCasePattern).join('|');
  return byFirstLetter(texts)
    .map((group) => {
      const [first = '', last] = [group[0], group.at(-1)];
      if (last === undefined || group.length === 1) return anyCasePattern(first);
      const common = commonBeginning(first, last);
      const rests = group.map((text) => text.slice(common.length));
      return `${anyCasePattern(common)}(?:${alternatives(rests, level + 1)})`;
    })
    .join('|');
}

const firstLetter = (text = ''): string => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0) ?? 0));

function byFirstLetter(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const text of texts) {
    const group = groups.at(-1);
    if (group && firstLetter(group[0]) === firstLetter(text)) group.push(text);
    else groups.push([text]);
  }
  return groups;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  const common = a.slice(0, length);
  return /[\ud800-\udbff]$/.test(common) ? common.slice(0, -1) : common;
}
