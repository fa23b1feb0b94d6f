import { isTextOperator } from './language.ts';
import type { Filter } from './language.ts';

/** The kind of value that a condition compares with; `any` where the data does not say. */
export type Kind = 'text' | 'number' | 'flag' | 'date' | 'any';

type Scalar = string | number | boolean;

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

const KINDS: Readonly<Record<string, Kind>> = { string: 'text', number: 'number', boolean: 'flag', date: 'date' };

/** Returns the kind of a condition, by the type of its field; a part of a text is a text, whatever the field holds. */
export const kindOf = (filter: Filter, type: string | undefined): Kind =>
  isTextOperator(filter.operator) ? 'text' : (KINDS[type ?? ''] ?? 'any');

/** No leading zeros: `0049` is a telephone prefix, or a postal code. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const QUOTED = /^"(.*)"$/s;

/** Returns whether a number keeps each digit that was written. */
const isExact = (text: string): boolean => Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;

/** Reads what was written where any type may be meant: `5` is a number, `true` a flag, `"5"` in quotes a text. */
export function readAny(text: string): Scalar {
  if (NUMBER.test(text) && isExact(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  const inner = QUOTED.exec(text)?.[1];
  return inner !== undefined && readAny(inner) !== inner ? inner : text;
}

/** Writes a value such that `readAny` reads the same one. */
function writeAny(value: unknown): string {
  if (!isScalar(value)) return '';
  return readAny(String(value)) === value ? String(value) : `"${value}"`;
}

const readNumber = (text: string): Scalar => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text));

const READERS: Readonly<Record<Kind, (text: string) => Scalar>> = {
  text: String,
  date: String,
  number: readNumber,
  any: readAny,
  flag: (text) => (text === 'true' || text === 'false' ? text === 'true' : text),
};

/** Reads what was written for a kind; what is none of it stays as it was written. */
export const read = (text: string, kind: Kind): Scalar => READERS[kind](text);

/** Writes a value as it is read for a kind. */
export const write = (value: unknown, kind: Kind): string => {
  if (kind === 'any') return writeAny(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

const FITS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  date: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || value === '',
  flag: (value) => typeof value === 'boolean' || value === '',
  any: () => true,
};

/** Returns the kind to show a value as: one of another type stays visible as what it is. */
export const shownKind = (value: unknown, kind: Kind): Kind =>
  (Array.isArray(value) ? value : [value ?? '']).every(FITS[kind]) ? kind : 'any';

/** Converts a value; a flag must be chosen again where nothing corresponds to it. */
const convertOne = (value: unknown, kind: Kind): unknown => {
  if (!isScalar(value) || kind === 'any' || kind === 'date' || FITS[kind](value)) return value;
  const fitting = read(String(value), kind);
  return kind === 'flag' && typeof fitting !== 'boolean' ? '' : fitting;
};

/** Returns the same condition with its value in the type of its field; what has no counterpart there stays as it is. */
export function converted(filter: Filter, type: string | undefined): Filter {
  const kind = kindOf(filter, type);
  const { value, unit } = filter;
  if (value === undefined || unit !== undefined) return filter;
  return { ...filter, value: Array.isArray(value) ? value.map((item: unknown) => convertOne(item, kind)) : convertOne(value, kind) };
}
