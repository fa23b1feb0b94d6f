import { nearestName } from '../near-name';
import type { ValueRow } from './fields';
import { spanOf } from './instants';
import type { ActivityTest, Interval, NumberOrder, Scalar, TextPart, ValueTest } from './types';

/** A filter as it comes in. */
export interface RawFilter {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly unit?: unknown;
  readonly within?: unknown;
  readonly campaignId?: unknown;
  readonly nodeId?: unknown;
}

/** Notes a fault of one member; what the reader then answers has no meaning. */
export type Note = (member: keyof RawFilter, message: string) => null;

/** With every letter's variants it fits one pattern of the database's. */
const MAX_TEXT = 1_000;
const MAX_LIST = 10_000;
const UNIT_MS: ReadonlyMap<unknown, number> = new Map([
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
]);
/** Half a character can be in JSON but in no database: it is stored, and so compared, as U+FFFD. */
const HALF_CHARACTER = /\p{Surrogate}/gu;

export type ValueOperator =
  | 'equals'
  | 'notEquals'
  | 'in'
  | 'notIn'
  | 'exists'
  | 'notExists'
  | 'within'
  | 'olderThan'
  | NumberOrder
  | TextPart
  | 'notContains';
export type ActivityOperator =
  | 'triggered'
  | 'notTriggered'
  | 'triggeredWithin'
  | 'notTriggeredWithin'
  | 'triggeredOlderThan'
  | 'countAtLeast'
  | 'countLessThan';

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' };

/** Says what a value has to be, and what it is. */
function mustBe(taken: string, value: unknown): string {
  if (value === undefined) return `Missing; must be ${taken}`;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'a list' : KINDS[typeof value];
  return `Must be ${taken}, not ${kind}`;
}

function readText(value: unknown, note: Note): string | null {
  if (typeof value !== 'string') return note('value', mustBe('a text', value));
  if (value.length > MAX_TEXT) return note('value', `Must have at most ${MAX_TEXT} characters`);
  return value.replace(HALF_CHARACTER, '\ufffd').normalize('NFC');
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

function readScalar(row: ValueRow, value: unknown, note: Note): Scalar | null {
  if (row === 'flag') return typeof value === 'boolean' ? value : note('value', mustBe('true or false', value));
  if (row === 'text' || typeof value === 'string') return readText(value, note);
  return typeof value === 'boolean' || isNumber(value) ? value : note('value', mustBe('a text, a number, true or false', value));
}

function readList(row: ValueRow, value: unknown, note: Note): readonly Scalar[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST) {
    return note(
      'value',
      Array.isArray(value) ? `Must be a list of 1 to ${MAX_LIST} values` : mustBe(`a list of 1 to ${MAX_LIST} values`, value),
    );
  }
  let faulty = false;
  const noteOnce: Note = (member, message) => {
    if (!faulty) note(member, `Each value in the list: ${message}`);
    faulty = true;
    return null;
  };
  const values = value.map((item: unknown) => readScalar(row, item, noteOnce));
  return faulty ? null : (values as Scalar[]);
}

function unitMeant(given: unknown): string {
  const meant = typeof given === 'string' ? nearestName(given.slice(0, 16), [...UNIT_MS.keys()] as string[]) : null;
  return meant === null ? '' : `: did you mean "${meant}"?`;
}

function readDuration(raw: RawFilter, member: 'value' | 'within', note: Note): number | null {
  const amount = raw[member];
  const unit = UNIT_MS.get(raw.unit);
  if (unit === undefined) note('unit', `Must be minutes, hours or days${unitMeant(raw.unit)}`);
  if (!isNumber(amount) || amount <= 0) return note(member, mustBe('a number above 0', amount).replace(', not a number', ''));
  return unit === undefined ? null : amount * unit;
}

/** The interval of each order for the time that a date means: a bare date is its whole day. */
const ORDERED: Readonly<Record<NumberOrder | 'equals' | 'notEquals', (span: { from: number; to: number }) => Interval>> = {
  equals: (span) => span,
  notEquals: (span) => span,
  greaterThan: ({ to }) => ({ from: to, to: null }),
  greaterThanOrEqual: ({ from }) => ({ from, to: null }),
  lessThan: ({ from }) => ({ from: null, to: from }),
  lessThanOrEqual: ({ to }) => ({ from: null, to }),
};

function readDuring(row: ValueRow, operator: keyof typeof ORDERED, value: unknown, note: Note): ValueTest | null {
  const span = typeof value === 'string' ? spanOf(value) : null;
  if (!span) {
    const date = 'an ISO 8601 date, or a date-time with an offset or Z';
    return note('value', mustBe(row === 'data' ? `a number, ${date}` : date, value));
  }
  return { is: 'during', negated: operator === 'notEquals', interval: ORDERED[operator](span) };
}

function readEqual(row: ValueRow, operator: 'equals' | 'notEquals', value: unknown, note: Note): ValueTest | null {
  if (row === 'instant') return readDuring(row, operator, value, note);
  const scalar = readScalar(row, value, note);
  // Always there, so the opposite is a plain equality, which an index serves.
  if (typeof scalar === 'boolean' && row === 'flag') return { is: 'equal', negated: false, values: [scalar === (operator === 'equals')] };
  return scalar === null ? null : { is: 'equal', negated: operator === 'notEquals', values: [scalar] };
}

function readPart(part: TextPart, negated: boolean, value: unknown, note: Note): ValueTest | null {
  const text = readText(value, note);
  return text === null ? null : { is: 'text', negated, part, text };
}

function readOrder(row: ValueRow, order: NumberOrder, value: unknown, note: Note): ValueTest | null {
  if (row === 'data' && typeof value === 'number') {
    return isNumber(value) ? { is: 'number', order, than: value } : note('value', 'Must be a finite number');
  }
  return readDuring(row, order, value, note);
}

/** Returns the test for an operator of a row and the filter's values; null when a fault was noted. */
export function readValueTest(row: ValueRow, operator: ValueOperator, raw: RawFilter, note: Note): ValueTest | null {
  switch (operator) {
    case 'exists':
    case 'notExists':
      return { is: 'present', negated: operator === 'notExists' };
    case 'equals':
    case 'notEquals':
      return readEqual(row, operator, raw.value, note);
    case 'in':
    case 'notIn': {
      const values = readList(row, raw.value, note);
      return values && { is: 'equal', negated: operator === 'notIn', values };
    }
    default:
      return readPartOrOrder(row, operator, raw, note);
  }
}

type PartOrOrder = Exclude<ValueOperator, 'exists' | 'notExists' | 'equals' | 'notEquals' | 'in' | 'notIn'>;

function readPartOrOrder(row: ValueRow, operator: PartOrOrder, raw: RawFilter, note: Note): ValueTest | null {
  switch (operator) {
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return readPart(operator, false, raw.value, note);
    case 'notContains':
      return readPart('contains', true, raw.value, note);
    case 'within':
    case 'olderThan': {
      const ms = readDuration(raw, 'value', note);
      return ms === null ? null : { is: 'age', older: operator === 'olderThan', ms };
    }
    default:
      return readOrder(row, operator, raw.value, note);
  }
}

interface ActivityAnswer {
  readonly nth: number;
  readonly test: ActivityTest;
}

function readCount(operator: 'countAtLeast' | 'countLessThan', raw: RawFilter, note: Note): ActivityAnswer | null {
  const windowed = raw.within !== undefined || raw.unit !== undefined;
  const ms = windowed ? readDuration(raw, 'within', note) : null;
  if (!Number.isSafeInteger(raw.value) || (raw.value as number) < 1) return note('value', 'Must be a whole number from 1');
  if (windowed && ms === null) return null;
  return { nth: raw.value as number, test: { is: operator === 'countAtLeast' ? 'happened' : 'missing', ms } };
}

/** Returns the same for activity: which occurrence is checked, and what is asked of it. */
export function readActivityTest(operator: ActivityOperator, raw: RawFilter, note: Note): ActivityAnswer | null {
  switch (operator) {
    case 'triggered':
      return { nth: 1, test: { is: 'happened', ms: null } };
    case 'notTriggered':
      return { nth: 1, test: { is: 'missing', ms: null } };
    case 'countAtLeast':
    case 'countLessThan':
      return readCount(operator, raw, note);
    default: {
      const ms = readDuration(raw, 'value', note);
      return ms === null ? null : { nth: 1, test: { is: WINDOWED[operator], ms } };
    }
  }
}

const WINDOWED = { triggeredWithin: 'happened', notTriggeredWithin: 'missing', triggeredOlderThan: 'over' } as const;
