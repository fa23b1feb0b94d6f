/** Returns a cell of a CSV file. A value that a spreadsheet would take for a formula becomes a text. */
export const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Returns a value as a cell: numbers as they are, lists and objects as JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return cell(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Without it, spreadsheets take the file for one of their own code page. */
const BYTE_ORDER_MARK = '\uFEFF';

interface Part {
  readonly lines: readonly string[];
  /** The columns that were known when the lines were written. */
  readonly width: number;
}

/** A CSV file that grows by rows of the API. Its columns are the members of the rows, in the order in which they appear. */
export class CsvFile {
  private readonly columns: string[] = [];
  private readonly parts: Part[] = [];

  add(rows: readonly object[]): void {
    for (const row of rows) for (const name of Object.keys(row)) if (!this.columns.includes(name)) this.columns.push(name);
    const lines = rows.map((row) => this.columns.map((name) => cellOf((row as Readonly<Record<string, unknown>>)[name])).join(','));
    this.parts.push({ lines, width: this.columns.length });
  }

  /** Returns the whole file; earlier rows have empty cells in columns that appeared later. */
  end(): Blob {
    const text = this.parts.map(({ lines, width }) => {
      const rest = `${','.repeat(this.columns.length - width)}\r\n`;
      return lines.map((line) => line + rest).join('');
    });
    return new Blob([BYTE_ORDER_MARK, `${this.columns.map(cell).join(',')}\r\n`, ...text], { type: 'text/csv;charset=utf-8' });
  }
}
