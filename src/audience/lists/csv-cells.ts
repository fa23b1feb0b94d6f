import { isUtf8 } from 'node:buffer';
import { invalid } from '../../platform/core';

/** Returns the cells of one row of text, quotation marks resolved. */
export function splitCells(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= row.length;) {
    const opening = pastBlanks(row, at, delimiter);
    const [cell, end] = row[opening] === '"' ? quotedCell(row, opening, delimiter) : bareCell(row, at, delimiter);
    cells.push(cell);
    at = end + 1;
  }
  return cells;
}

function pastBlanks(row: string, from: number, delimiter: string): number {
  let at = from;
  while ((row[at] === ' ' || row[at] === '\t') && row[at] !== delimiter) at++;
  return at;
}

function bareCell(row: string, from: number, delimiter: string): [cell: string, end: number] {
  const found = row.indexOf(delimiter, from);
  const end = found < 0 ? row.length : found;
  return [row.slice(from, end), end];
}

/** Blanks around the marks are not part of the cell. Other text after the closing mark, which should not exist, is kept. */
function quotedCell(row: string, from: number, delimiter: string): [cell: string, end: number] {
  let close = row.indexOf('"', from + 1);
  while (close >= 0 && row[close + 1] === '"') close = row.indexOf('"', close + 2);
  if (close < 0) return [row.slice(from + 1).replaceAll('""', '"'), row.length];
  const [stray, end] = bareCell(row, pastBlanks(row, close + 1, delimiter), delimiter);
  return [row.slice(from + 1, close).replaceAll('""', '"') + stray, end];
}

/** Returns a value of a contact, or of its data (JSON), as a cell shows it: lists and objects as JSON, nothing as the empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}

const BOOLEAN = /^(?:true|false)$/i;

/** Returns a number in its canonical form, true or false in any case; everything else, a date or `01234` for one, is the text that it is. */
export function typedCell(cell: string): string | number | boolean {
  if (BOOLEAN.test(cell)) return cell.length === 'true'.length;
  const number = Number(cell);
  return Number.isFinite(number) && String(number) === cell ? number : cell;
}

const NEEDS_QUOTES = /[",\r\n]/;

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns a row with commas and its CRLF (RFC 4180). Cells say exactly what was stored (docs/import-export.md, Formulas). */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

const MAX_HEADER_BYTES = 1_048_576;
const MAX_COLUMNS = 20_000;
/** The separator line that spreadsheets write. */
const SEPARATOR = /^"?sep=([,;\t|:^~])"?$/i;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const [CR, LF, QUOTE] = [0x0d, 0x0a, 0x22];

export interface CsvHeader {
  readonly delimiter: string;
  readonly names: readonly string[];
  /** Offset of the first byte after the header line. */
  readonly end: number;
}

/**
 * Returns the header line at the beginning of a file, or null when it has not come whole yet; a line `sep=;` before it names the separator. Throws 422 when there
 * is no header, when it is no UTF-8, is longer than 1 MiB, or has more than 20,000 columns.
 */
export function readHeader(bytes: Buffer, whole: boolean): CsvHeader | null {
  const start = bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const first = lineAt(bytes, start, whole);
  if (!first) return null;
  const named = SEPARATOR.exec(first.text)?.[1];
  const line = named === undefined ? first : lineAt(bytes, first.end, whole);
  if (!line) return null;
  if (line.text === '') throw invalid('file', 'too_small', 'The file is empty. Its first line must name the columns');
  const delimiter = named ?? delimiterOf(line.text);
  const names = splitCells(line.text, delimiter);
  if (names.length > MAX_COLUMNS) throw invalid('file', 'too_big', `The header has more than ${MAX_COLUMNS} columns`);
  return { delimiter, names, end: line.end };
}

interface Line {
  readonly text: string;
  /** Offset of the first byte after it. */
  readonly end: number;
}

/** Returns the first line that is not empty, or null when it has not come whole yet. */
function lineAt(bytes: Buffer, start: number, whole: boolean): Line | null {
  let from = start;
  while (isLineEnd(bytes[from])) from++;
  const end = lineEnd(bytes, from);
  if (end === null && !whole && bytes.length <= MAX_HEADER_BYTES) return null;
  return { text: textOf(bytes.subarray(from, end ?? bytes.length)), end: end === null ? bytes.length : end + 1 };
}

function textOf(line: Buffer): string {
  if (line.length > MAX_HEADER_BYTES) throw invalid('file', 'too_big', 'The header line is longer than 1 MiB');
  if (!isUtf8(line)) throw invalid('file', 'invalid_string', 'The header line is not UTF-8; save the file as CSV in UTF-8');
  return line.toString();
}

const isLineEnd = (byte: number | undefined): boolean => byte === CR || byte === LF;

/** Returns the offset of the line end that is not within quotation marks. */
function lineEnd(bytes: Buffer, from: number): number | null {
  let within = false;
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) within = !within;
    else if (!within && isLineEnd(bytes[at])) return at;
  }
  return null;
}

/** Returns the one that occurs most outside of quotation marks; a comma when none does. */
function delimiterOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"?/g, '');
  const counted = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}
