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
