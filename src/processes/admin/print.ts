import { cellText, csvLine } from '../../audience/lists';

type Row = Readonly<Record<string, unknown>>;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const columns = (line: readonly string[]): string => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => `${columns(line).trimEnd()}\n`).join('');
}

/** Returns the lines of a value: one for each item of a list. */
const linesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value.length > 0 ? value.map(cell) : ['none']) : [cell(value)];

function card(row: Row): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  const between = `\n${' '.repeat(width + 2)}`;
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${linesOf(value).join(between)}\n`)
    .join('');
}

/** Returns a result for a person: a list as a table, anything else name by name, with a line for each item of a list. */
export function readable(result: unknown): string {
  if (Array.isArray(result)) return result.length > 0 ? table(result as Row[]) : 'none\n';
  return card(result as Row);
}

/** Returns a list as CSV with a line of names (RFC 4180); anything else as a list of one. */
export function asCsv(result: unknown): string {
  const rows = [result].flat() as Row[];
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => names.map((name) => cellText(row[name])))].map(csvLine).join('');
}
