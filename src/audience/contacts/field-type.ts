import type { FieldType } from './field-model';

const COMMON_DAY = '\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))';
const LEAP_DAY = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29';

/**
 * An ISO 8601 date that the calendar has, or date-time with or without an offset. Means the same to JavaScript and to the database, line breaks
 * included.
 */
export const ISO_DATE =
  `^(?:${COMMON_DAY}|${LEAP_DAY})` +
  '(?:T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):?[0-5]\\d)?)?(?![\\s\\S])';

const isoDate = new RegExp(ISO_DATE);

/** Returns the type that a field with this value counts under; null for what is no value. */
export function fieldTypeOf(value: unknown): FieldType | null {
  if (typeof value === 'string') return isoDate.test(value) ? 'date' : 'string';
  if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number' | 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : null;
}
