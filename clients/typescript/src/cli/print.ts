type Row = Readonly<Record<string, unknown>>;

const MOST_COLUMNS = 7;
const WIDEST_CELL = 40;

/** Replaces control characters, by which text from outside could steer a terminal. */
export const safe = (text: string): string => text.replaceAll(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD');

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = safe(text).replaceAll('\n', ' ');
  return line.length > WIDEST_CELL ? `${line.slice(0, WIDEST_CELL - 1)}…` : line;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Returns rows as a table of their plain members, cut to the width of the terminal. */
export function table(rows: readonly unknown[], width: number | null): string {
  const [first] = rows;
  if (!isRow(first)) return rows.map((row) => `${safe(String(row))}\n`).join('');
  const columns = Object.keys(first).filter((name) => name !== 'projectId' && rows.every((row) => isPlain((row as Row)[name])));
  const shown = columns.slice(0, MOST_COLUMNS);
  const lines = [shown, ...rows.map((row) => shown.map((name) => cell((row as Row)[name])))];
  const widths = shown.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const written = lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return written.map((line) => `${width === null ? line : line.slice(0, width)}\n`).join('');
}

/** Returns a value as lines for people: members by name, with what is nested as JSON. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (!isRow(value)) return `${safe(typeof value === 'string' ? value : JSON.stringify(value, null, 2))}\n`;
  const widest = Math.max(0, ...Object.keys(value).map((name) => name.length));
  return Object.entries(value)
    .map(([name, member]) => {
      const text = typeof member === 'string' ? member : (JSON.stringify(member, null, 2) ?? '');
      return `${name.padEnd(widest)}  ${safe(text).replaceAll('\n', `\n${' '.repeat(widest + 2)}`)}\n`;
    })
    .join('');
}

/** Returns a value as JSON, with control characters escaped. */
export const asJson = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replaceAll(/(?!\n)\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
