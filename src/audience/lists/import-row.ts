import { normalizeAddress } from '../../platform/addresses';
import type { ContactChange, ContactFields } from '../../rules/contact-change';
import { isTimeZone } from '../../rules/zoned-time';
import { cellText, typedCell } from './csv-cells';
import { CSV_FAULTS } from './csv-scanner';
import type { CsvRow } from './csv-scanner';
import type { Column } from './import-columns';

const MAX_NAME_LENGTH = 200;
const MAX_LOCALE_LENGTH = 64;
const LINE_BREAKING = /[\r\n\0]/;

/** A row that can be used, or why not. */
type ReadRow =
  | { readonly email: string; readonly cells: readonly string[]; readonly message: null }
  | { readonly email: string | null; readonly message: string };

/** Limit for the shown part of an unusable cell. */
const MAX_SHOWN = 254;

/** Found once for a file. The work for a row depends on its cells: a header of a hundred thousand columns may be followed by rows of a few bytes. */
const emailColumns = new WeakMap<readonly Column[], number>();

function emailColumn(columns: readonly Column[]): number {
  const column = emailColumns.get(columns) ?? columns.indexOf('email');
  emailColumns.set(columns, column);
  return column;
}

/** Checks a single row: its address and the cells with a required format. For an unusable row, `email` is the text of its address cell. */
export function readRow(columns: readonly Column[], row: CsvRow): ReadRow {
  const cells = row.cells;
  const address = cells[emailColumn(columns)]?.trim() ?? '';
  const email = normalizeAddress(address);
  const message = faultOf(columns, row, address, email);
  return message === null && email !== null
    ? { email, cells, message: null }
    : { email: email ?? (address.slice(0, MAX_SHOWN) || null), message: message ?? '' };
}

function faultOf(columns: readonly Column[], { cells, fault }: CsvRow, address: string, email: string | null): string | null {
  if (fault !== null) return CSV_FAULTS[fault];
  if (email === null) return address === '' ? 'The row has no address' : 'Not an e-mail address';
  if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return `The row has ${cells.length} cells, the header ${columns.length}`;
  for (const [index, cell] of cells.entries()) {
    const message = cellFault(columns[index], cell);
    if (message) return message;
  }
  return null;
}

function cellFault(column: Column | undefined, cell: string): string | null {
  if (cell === '' || column === undefined) return null;
  return column.startsWith(TOPIC) ? flagFault(column, cell) : (CHECKS[column]?.(cell) ?? null);
}

const TOPIC = 'topic.';

const nameCheck =
  (column: string) =>
  (cell: string): string | null => {
    if (cell.length > MAX_NAME_LENGTH) return `${column} has more than ${MAX_NAME_LENGTH} characters`;
    return LINE_BREAKING.test(cell) ? `${column} must be one line` : null;
  };

/** Returns what a cell holds, so that its row can be found in the file. */
const shown = (cell: string): string => JSON.stringify(cell.trim().slice(0, MAX_SHOWN));

const CHECKS: Readonly<Partial<Record<string, (cell: string) => string | null>>> = {
  firstName: nameCheck('firstName'),
  lastName: nameCheck('lastName'),
  unnamed: (cell) => (cell.trim() === '' ? null : `A cell in a column without a header is not empty: ${shown(cell)}`),
  subscribed: (cell) => flagFault('subscribed', cell),
};

function flagFault(column: string, cell: string): string | null {
  return subscribedOf(cell) === null ? `${column} is none of true, false, 1, 0, yes, no: ${shown(cell)}` : null;
}

/** Returns the language tag of a cell, which may be written as POSIX has it (`en_US`), or null when it is none. */
function localeOf(cell: string): string | null {
  const tag = cell.trim().replaceAll('_', '-');
  try {
    return tag.length <= MAX_LOCALE_LENGTH && new Intl.Locale(tag).language !== '' ? tag : null;
  } catch {
    return null;
  }
}

const SUBSCRIBED: Readonly<Record<string, boolean | undefined>> = { true: true, 1: true, yes: true, false: false, 0: false, no: false };

/** Returns undefined for a cell that says nothing, null for one that says something else. */
function subscribedOf(cell: string): boolean | undefined | null {
  const text = cell.trim().toLowerCase();
  if (text === '') return undefined;
  return Object.hasOwn(SUBSCRIBED, text) ? (SUBSCRIBED[text] ?? null) : null;
}

type Fields = {
  firstName?: string;
  lastName?: string;
  locale?: string;
  timezone?: string;
  subscribed?: boolean;
  data?: Record<string, unknown>;
};

/**
 * Returns what a row that `readRow` took is to change. An empty cell leaves its value alone, so does a locale or time zone that is none, and so does one that shows the stored value as an export does:
 * the text `12` that was stored as text stays text.
 */
export function changeOfRow(columns: readonly Column[], cells: readonly string[], current: ContactFields | null): ContactChange {
  const change: Fields = {};
  const data: Record<string, unknown> = {};
  for (const [index, cell] of cells.entries()) {
    const column = columns[index] ?? '';
    if (cell === '') continue;
    if (column.startsWith('data.')) {
      const key = column.slice(5);
      if (!showsStored(cell, current?.data, key)) data[key] = typedCell(cell);
    } else {
      setMember(change, column, cell, current);
    }
  }
  return Object.keys(data).length === 0 ? change : { ...change, data };
}

/** Returns the topics that a row which `readRow` took chooses or leaves, by key. An empty cell says nothing. */
export function topicsOfRow(columns: readonly Column[], cells: readonly string[]): ReadonlyMap<string, boolean> {
  const topics = new Map<string, boolean>();
  for (const [index, cell] of cells.entries()) {
    const column = columns[index] ?? '';
    const subscribed = column.startsWith(TOPIC) ? subscribedOf(cell) : null;
    if (typeof subscribed === 'boolean') topics.set(column.slice(TOPIC.length), subscribed);
  }
  return topics;
}

function setMember(change: Fields, column: Column, cell: string, current: ContactFields | null): void {
  if (column === 'firstName' || column === 'lastName') change[column] = cell;
  else if (column === 'locale') setText(change, column, localeOf(cell));
  else if (column === 'timezone') setText(change, column, isTimeZone(cell.trim()) ? cell.trim() : null);
  else if (column === 'subscribed') {
    const subscribed = subscribedOf(cell);
    // Somebody who was never asked stays so: the cell says what is stored.
    if (typeof subscribed === 'boolean' && subscribed !== current?.subscribed) change.subscribed = subscribed;
  }
}

/** Sets a member, unless its cell says nothing that could be read. */
function setText(change: Fields, column: 'locale' | 'timezone', text: string | null): void {
  if (text !== null) change[column] = text;
}

const showsStored = (cell: string, data: Readonly<Record<string, unknown>> | null | undefined, key: string): boolean =>
  data !== null && data !== undefined && Object.hasOwn(data, key) && cellText(data[key]) === cell;
