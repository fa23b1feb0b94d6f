/** Number of bytes of a file that are read to show its columns. */
const LOOKED_AT_BYTES = 256 * 1024;

const MOST_ROWS = 4;

/** Returns a cell without its quotation marks; doubled ones become one. */
const plain = (cell: string): string => cell.replaceAll(/"((?:[^"]|"")*)"?/g, (_, inner: string) => inner.replaceAll('""', '"'));

/** Returns the most frequent delimiter in the header line, outside of quotation marks. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const bare = line.replaceAll(/"[^"]*"?/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => [bare.split(delimiter).length, delimiter] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}

interface CsvRow {
  /** The line of the file in which it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Yields the rows of a CSV text that are not empty, the header first, by the rules of the import: quoted cells may hold delimiters and line ends. */
export function* rowsOf(file: string): Generator<CsvRow, void, undefined> {
  const text = file.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(text);
  const pieces = new RegExp(`((?:"(?:[^"]+|"")*"?|[^"${delimiter}\\r\\n]+)*)(${delimiter}|\\r\\n?|\\n|$)`, 'gy');
  let [line, begin, cells]: [number, number, string[]] = [1, 1, []];
  for (const [whole, cell = '', end = ''] of text.matchAll(pieces)) {
    cells.push(plain(cell));
    line += linesIn(whole);
    if (end === delimiter) continue;
    if (cells.some((each) => each !== '')) yield { line: begin, cells };
    [begin, cells] = [line, []];
  }
}

/** A column of a file, with its values in the first rows. */
export interface FoundColumn {
  readonly header: string;
  readonly examples: readonly string[];
}

/** Returns the columns of the beginning of a CSV file. */
function columnsIn(beginning: string): readonly FoundColumn[] {
  const first: (readonly string[])[] = [];
  for (const { cells } of rowsOf(beginning)) if (first.push(cells) === MOST_ROWS) break;
  const [headers = [], ...rows] = first;
  return headers.map((header, at) => ({ header: header.trim(), examples: rows.map((row) => row[at] ?? '').filter((cell) => cell !== '') }));
}

/** Resolves to the columns of a CSV file. */
export const columnsOf = async (file: Blob): Promise<readonly FoundColumn[]> => columnsIn(await file.slice(0, LOOKED_AT_BYTES).text());

/** Returns a header in the form by which it is recognized: without case, spaces, `_` and `-`. */
export const normal = (header: string): string => header.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Headers of the column of addresses. */
export const ADDRESS_HEADERS: readonly string[] = ['email', 'emailaddress', 'mail', 'address'];
