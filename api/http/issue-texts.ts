import type { z } from 'zod';
import { whatWasMeant } from './known-elsewhere';

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Types by their names in zod. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMS: Readonly<Record<string, string>> = {
  email: 'Must be an e-mail address, like ada@example.com',
  url: 'Must be a URL, like https://example.com/',
  datetime: 'Must be an instant with an offset, like 2026-11-23T09:00:00Z',
};

/** More values than this are not listed. */
const MOST_VALUES = 20;

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  if (Number.isNaN(input)) return 'something else';
  return KINDS[typeof input] ?? typeof input;
}

const missing = (input: unknown): string => (input === undefined ? 'Missing; must be' : 'Must be');

/** Returns which values are taken, and which of them was probably meant. */
export function valueText(values: readonly unknown[], input: unknown): string {
  const [only] = values;
  if (values.length === 1) return `${missing(input)} ${JSON.stringify(only)}`;
  const names = values.filter((value) => typeof value === 'string');
  const meant = typeof input === 'string' ? whatWasMeant(input, names) : '';
  const list = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  return `${missing(input)} one of ${list.join(', ')}${values.length > MOST_VALUES ? ', …' : ''}${meant}`;
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item', map: 'item' };

function sizeText(origin: string, word: 'at least' | 'at most', bound: number | bigint): string {
  const unit = UNITS[origin];
  if (unit === undefined) return `Must be ${word} ${bound}`;
  if (word === 'at least' && bound === 1) return 'Must not be empty';
  return `Must have ${word} ${bound} ${unit}${bound === 1 ? '' : 's'}`;
}

/** Returns which kinds of value are taken, by zod's names for them. */
export function kindText(expected: readonly string[], input: unknown): string {
  const kinds = [...new Set(expected.map((kind) => KINDS[kind] ?? kind))];
  const last = kinds.pop() ?? '';
  const wanted = kinds.length === 0 ? last : `${kinds.join(', ')} or ${last}`;
  return input === undefined ? `Missing; must be ${wanted}` : `Must be ${wanted}, not ${kindOf(input)}`;
}

/** Says what is wrong in words for the author of a request, where the schema has none of its own; undefined leaves it to zod. */
export function textOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return kindText([issue.expected], issue.input);
    case 'invalid_value':
      return valueText(issue.values, issue.input);
    case 'too_small':
      return issue.inclusive === false ? `Must be more than ${issue.minimum}` : sizeText(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return issue.inclusive === false ? `Must be less than ${issue.maximum}` : sizeText(issue.origin, 'at most', issue.maximum);
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return FORMS[issue.format];
    default:
      return undefined;
  }
}
