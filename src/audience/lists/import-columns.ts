import { AppError, invalid } from '../../platform/core';
import type { DetailCode, ErrorDetail } from '../../platform/core';

/**
 * The meaning of a column of the file: a member of a contact, `data.<key>`, `topic.<key>`, '' for one that is ignored, or `unnamed` for one without a header,
 * whose cells have to be empty.
 */
export type Column =
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'locale'
  | 'timezone'
  | 'subscribed'
  | `data.${string}`
  | `topic.${string}`
  | 'unnamed'
  | '';

const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

const KNOWN: ReadonlyMap<string, Column> = new Map<string, Column>([
  ['email', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['locale', 'locale'],
  ['timezone', 'timezone'],
  ['subscribed', 'subscribed'],
  ['createdat', ''],
  ['updatedat', ''],
  ['contactid', ''],
  ['projectid', ''],
]);

const normalised = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

const isKey = (key: string): boolean => KEY.test(key) && !RESERVED_KEYS.has(key);

/** The keys of the project's topics. */
type TopicKeys = ReadonlySet<string>;
const TOPIC = 'topic.';

// In a project without topics, the name is one like any other.
const isTopic = (name: string, topics: TopicKeys): boolean => topics.size > 0 && name.startsWith(TOPIC);

/** Marks a column to leave out, where the request names the columns. */
const LEFT_OUT = '-';

/** Returns the meaning of each column, as the request names it instead of the headers. Throws 422 as `columnsOf`, and for another number of columns. */
export function columnsNamed(names: readonly string[], headers: number, topics: TopicKeys = new Set()): readonly Column[] {
  if (names.length === headers)
    return checkedColumns(
      names.map((name) => (name === LEFT_OUT ? null : name.trim())),
      (name) => exactColumn(name, topics),
      'columns',
    );
  throw invalid('columns', 'invalid_combination', `The file has ${headers} columns, and ${names.length} are named`);
}

/**
 * Returns what each header stands for (docs/import-export.md, Columns). Throws 422 with every fault: no address column, a header given twice, a name that cannot
 * be a field.
 */
export function columnsOf(headers: readonly string[], topics: TopicKeys = new Set()): readonly Column[] {
  const names = headers.map((header) => header.trim());
  const exact = names.map((name) => exactColumn(name, topics));
  const keys = new FreeKeys(exact, topics);
  return checkedColumns(names, (name, index) => (name === '' ? 'unnamed' : (exact[index] ?? keys.columnFor(name))), 'file');
}

/** Returns the field that a column becomes, as people see it; null for one that is passed over. */
export const fieldOf = (column: Column | undefined): string | null =>
  column === undefined || column === '' || column === 'unnamed' ? null : column;

function checkedColumns(
  names: readonly (string | null)[],
  columnOf: (name: string, index: number) => Column | null,
  path: 'file' | 'columns',
): readonly Column[] {
  const faults: ErrorDetail[] = [];
  const fault = (code: DetailCode, message: string): number => faults.push({ path, code, message });
  const seen = new Set<string>();
  const columns = names.map((name, index) => {
    if (name === null) return '';
    const column = columnOf(name, index);
    if (column === null) fault('invalid_string', nameFault(name, index));
    const marks = column === null ? [] : marksOf(name, column);
    if (marks.some((mark) => seen.has(mark))) fault('invalid_combination', `The header “${shown(name)}” is given twice`);
    for (const mark of marks) seen.add(mark);
    return column ?? '';
  });
  if (!columns.includes('email')) fault('invalid_type', 'The file has no column “email”');
  if (faults.length > 0) throw new AppError('validation_error', faults[0]?.message ?? '', faults);
  return columns;
}

/** Returns the column that a header names as it is written, or null. */
function exactColumn(name: string, topics: TopicKeys): Column | null {
  if (isTopic(name, topics)) return topics.has(name.slice(TOPIC.length)) ? (name as Column) : null;
  if (name.startsWith('data.')) return isKey(name.slice(5)) ? (name as Column) : null;
  return KNOWN.get(normalised(name)) ?? (isKey(name) ? `data.${name}` : null);
}

/** Creates keys from headers that are not valid ones: `Company name` becomes `Company_name`, and a key that another column has gets a number. */
class FreeKeys {
  private readonly taken: Set<Column | null>;
  private readonly numbers = new Map<string, number>();

  constructor(
    exact: readonly (Column | null)[],
    private readonly topics: TopicKeys,
  ) {
    this.taken = new Set(exact);
  }

  /** Returns null for a name that is reserved, and for a `data.` name, which is meant exactly. */
  columnFor(name: string): Column | null {
    const key = keyOf(name);
    if (name.startsWith('data.') || isTopic(name, this.topics) || !isKey(key)) return null;
    let number = this.numbers.get(key) ?? 1;
    let column: Column = `data.${number === 1 ? key : numbered(key, number)}`;
    while (this.taken.has(column)) column = `data.${numbered(key, ++number)}`;
    this.numbers.set(key, number);
    this.taken.add(column);
    return column;
  }
}

const MAX_KEY_LENGTH = 64;

/** Drops accents, and replaces what no key has. */
function keyOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]/gu, '_');
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, MAX_KEY_LENGTH);
}

function numbered(key: string, number: number): string {
  const end = `_${number}`;
  return `${key.slice(0, MAX_KEY_LENGTH - end.length)}${end}`;
}

// A column is there twice when it means the same; of headers without `data.` also when they differ in nothing but how they are written.
function marksOf(name: string, column: Column): readonly string[] {
  if (column === 'unnamed') return [];
  return name.startsWith('data.') || column.startsWith(TOPIC)
    ? [column]
    : [...(column.startsWith('data.') ? [column] : []), `name ${normalised(name)}`];
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

const nameFault = (name: string, index: number): string =>
  name === ''
    ? `Column ${index + 1} has no header`
    : name.startsWith(TOPIC)
      ? `The header “${shown(name)}” names a topic that does not exist`
      : `The header “${shown(name)}” cannot be a field: a field's name has up to 64 letters, digits, _ and -, and begins with a letter or _`;
