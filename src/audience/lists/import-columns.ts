import { AppError, invalid } from '../../platform/core';
import type { DetailCode, ErrorDetail } from '../../platform/core';

/** What a column of the file is: a member of a contact, `data.<key>`, or '' for one that is passed over. */
export type Column = 'email' | 'firstName' | 'lastName' | 'locale' | 'subscribed' | `data.${string}` | '';

const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

const KNOWN: ReadonlyMap<string, Column> = new Map<string, Column>([
  ['email', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['locale', 'locale'],
  ['subscribed', 'subscribed'],
  ['createdat', ''],
  ['updatedat', ''],
  ['contactid', ''],
  ['projectid', ''],
]);

const normalised = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const isKey = (key: string): boolean => KEY.test(key) && !RESERVED_KEYS.has(key);

/** Stands for a column that is left out, where columns are named beside the file. */
const LEFT_OUT = '-';

/** Returns what each column is, as it is named beside the file in the place of its headers. Throws 422 as `columnsOf`, and where their number is another. */
export function columnsNamed(names: readonly string[], headers: number): readonly Column[] {
  if (names.length === headers)
    return columnsOf(
      names.map((name) => name.trim()),
      'columns',
    );
  throw invalid('columns', 'invalid_combination', `The file has ${headers} columns, and ${names.length} are named`);
}

/**
 * Returns what each header stands for (docs/import-export.md, Columns). Throws 422 with every fault: no address column, a header given twice, a name that cannot
 * be a field.
 */
export function columnsOf(names: readonly string[], path: 'file' | 'columns' = 'file'): readonly Column[] {
  const faults: ErrorDetail[] = [];
  const fault = (code: DetailCode, message: string): number => faults.push({ path, code, message });
  const seen = new Set<string>();
  const columns = names.map((name, index) => {
    if (path === 'columns' && name === LEFT_OUT) return '';
    const column = columnOf(name.trim());
    if (column === null) {
      fault('invalid_string', nameFault(name, index));
      return '';
    }
    const marks = marksOf(name.trim(), column);
    if (marks.some((mark) => seen.has(mark))) fault('invalid_combination', `The header “${shown(name)}” is given twice`);
    for (const mark of marks) seen.add(mark);
    return column;
  });
  if (!columns.includes('email')) fault('invalid_type', 'The file has no column “email”');
  if (faults.length > 0) throw new AppError('validation_error', faults[0]?.message ?? '', faults);
  return columns;
}

function columnOf(name: string): Column | null {
  if (name.startsWith('data.')) return isKey(name.slice(5)) ? (name as Column) : null;
  return KNOWN.get(normalised(name)) ?? (isKey(name) ? `data.${name}` : null);
}

/** A column is there twice when it means the same; of headers without `data.` also when they differ in nothing but how they are written. */
const marksOf = (name: string, column: Column): readonly string[] =>
  name.startsWith('data.') ? [column] : [...(column.startsWith('data.') ? [column] : []), `name ${normalised(name)}`];

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

const nameFault = (name: string, index: number): string =>
  name.trim() === ''
    ? `Column ${index + 1} has no header`
    : `The header “${shown(name)}” cannot be a field: a field's name has up to 64 letters, digits, _ and -, and begins with a letter or _`;
