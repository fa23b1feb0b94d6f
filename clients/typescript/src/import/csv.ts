/** One row by header. */
export class CsvRow {
  private readonly columns: ReadonlyMap<string, number>;
  private readonly cells: readonly string[];
  readonly headers: readonly string[];

  constructor(headers: readonly string[], columns: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.headers = headers;
    this.columns = columns;
    this.cells = cells;
  }

  /** Returns the cell of the first of these headers that the file has and that is not empty. */
  get(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const text = this.cells[this.columns.get(normal(name)) ?? -1]?.trim();
      if (text) return text;
    }
    return undefined;
  }

  at(column: number): string {
    return this.cells[column]?.trim() ?? '';
  }
}

/** Returns a header in the form by which headers match: without case, spaces, `_` and `-`. */
export const normal = (header: string): string => header.toLowerCase().replaceAll(/[\s_-]/g, '');

const isEmpty = (record: readonly string[]): boolean => record.length === 1 && record[0] === '';

/** Yields the records of a CSV text (RFC 4180), any kind of line end. */
function* recordsOf(text: string): Generator<string[], void, undefined> {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let record: string[] = [];
  while (cell.lastIndex < text.length || record.length > 0) {
    const [, quoted, plain, end] = cell.exec(text) ?? [];
    if (end === undefined) throw new SyntaxError('Not a CSV file: a quote is not closed, or is within a cell');
    record.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (!isEmpty(record)) yield record;
    record = [];
  }
}

/** Yields the rows of a CSV text with a header line. Throws a `SyntaxError` if the text is no CSV. */
export function* rowsOf(text: string): Generator<CsvRow, void, undefined> {
  let headers: readonly string[] | null = null;
  let columns = new Map<string, number>();
  for (const record of recordsOf(text)) {
    if (headers) yield new CsvRow(headers, columns, record);
    else {
      headers = record.map((header) => header.trim());
      columns = new Map(headers.map((header, column) => [normal(header), column]));
    }
  }
}

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns rows as CSV. */
export const csvOf = (rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
