import { instantOf, localOf } from '../dates.tsx';

export type Kind = 'text' | 'number' | 'flag' | 'date' | 'moment' | 'list' | 'group' | 'nothing';

export const KINDS: readonly (readonly [Kind, string])[] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['flag', 'Yes or no'],
  ['date', 'Date'],
  ['moment', 'Date and time'],
  ['list', 'List'],
  ['group', 'Group'],
  ['nothing', 'No value'],
];

const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const MINUTE_MS = 60_000;

function kindOfText(text: string): Kind {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return 'text';
  // What the inputs for dates cannot show whole stays a text: 31 February, and seconds.
  if (DAY.test(text)) return new Date(at).toISOString().startsWith(text) ? 'date' : 'text';
  return MOMENT.test(text) && at % MINUTE_MS === 0 ? 'moment' : 'text';
}

const TYPES: Readonly<Record<string, Kind>> = { number: 'number', boolean: 'flag' };

/** Returns the kind that a JSON value is shown as. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'nothing';
  if (typeof value === 'string') return kindOfText(value);
  return TYPES[typeof value] ?? (Array.isArray(value) ? 'list' : 'group');
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

const thisMinute = (): string => instantOf(localOf(new Date().toISOString()));

function momentOf(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'date') return instantOf(`${value as string}T00:00`);
  return kind === 'moment' ? (value as string) : thisMinute();
}

/** Returns whether a number keeps what a text says: integers beyond 2^53 are rounded, and those beyond 1e308 are infinite. */
export function isExact(text: string): boolean {
  const number = Number(text);
  return Number.isInteger(number) ? Number.isSafeInteger(number) || String(number) === text : Number.isFinite(number);
}

function numberOf(value: unknown): unknown {
  const number = Number(value) || 0;
  return number === 0 || isExact(String(value)) ? number : value;
}

const CONVERSIONS: Readonly<Record<Kind, (value: unknown) => unknown>> = {
  text: (value) => (['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''),
  number: numberOf,
  flag: (value) => value !== false && value !== 'false',
  date: (value) => (kindOf(value) === 'date' ? value : localOf(momentOf(value)).slice(0, 10)),
  moment: momentOf,
  list: (value) => (isBlank(value) ? [] : [value]),
  group: (value) => (Array.isArray(value) && kindOf(value[0]) === 'group' ? ((value[0] as object | undefined) ?? {}) : {}),
  nothing: () => null,
};

/** Returns a value of a kind: what corresponds to the given one, or what the kind begins with. */
export const converted = (value: unknown, kind: Kind): unknown => CONVERSIONS[kind](value);
