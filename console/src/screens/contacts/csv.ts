/** Number of bytes of a file that are read to show its columns. */
export const LOOKED_AT_BYTES = 256 * 1024;

const MOST_ROWS = 4;

/** Returns a cell without its quotation marks; doubled ones become one. */
const plain = (cell: string): string => cell.replaceAll(/"((?:[^"]|"")*)"?/g, (_, inner: string) => inner.replaceAll('""', '"'));

/** Returns the cells of the first rows, by the rules of the import: quoted cells may hold separators and line ends. */
function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const cells = new RegExp(`((?:"(?:[^"]|"")*"?|[^"${delimiter}\\r\\n])*)(${delimiter}|\\r\\n?|\\n|$)`, 'gy');
  const rows: string[][] = [[]];
  for (const [whole, cell = '', end = ''] of text.matchAll(cells)) {
    if (whole === '' || rows.length > MOST_ROWS) break;
    rows.at(-1)?.push(plain(cell));
    if (end !== delimiter) rows.push([]);
  }
  return rows.filter((row) => row.some((cell) => cell !== '')).slice(0, MOST_ROWS);
}

/** Returns the most frequent delimiter in the header line, outside of quotation marks. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const bare = line.replaceAll(/"[^"]*"?/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => [bare.split(delimiter).length, delimiter] as const);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best))[1];
}

/** A column of a file, with its values in the first rows. */
export interface FoundColumn {
  readonly header: string;
  readonly examples: readonly string[];
}

/** Returns the columns of the beginning of a CSV file. */
export function columnsIn(beginning: string): readonly FoundColumn[] {
  const text = beginning.replace(/^\uFEFF/, '');
  const [headers = [], ...rows] = rowsOf(text, delimiterOf(text));
  return headers.map((header, at) => ({ header: header.trim(), examples: rows.map((row) => row[at] ?? '').filter((cell) => cell !== '') }));
}

const KNOWN: Readonly<Record<string, string>> = {
  ...{ email: 'email', emailaddress: 'email', mail: 'email', address: 'email' },
  ...{ firstname: 'firstName', givenname: 'firstName', lastname: 'lastName', surname: 'lastName', familyname: 'lastName' },
  ...{ locale: 'locale', language: 'locale', timezone: 'timezone', subscribed: 'subscribed' },
  ...{ createdat: '-', updatedat: '-', contactid: '-', projectid: '-' },
};

/** Returns a name that a custom field can have, made of a header. */
const fieldNameOf = (header: string): string =>
  header
    .replace(/^data\./, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^[^A-Za-z_]+|_+$/g, '')
    .slice(0, 64);

/** Returns the probable field of each column, by the import's names: each member once, the others as custom fields. */
export function guessed(columns: readonly FoundColumn[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map(({ header }) => {
    const known = KNOWN[header.toLowerCase().replaceAll(/[\s_-]/g, '')];
    const field = fieldNameOf(header);
    const guess = known ?? (field === '' ? '-' : `data.${field}`);
    if (guess === '-' || taken.has(guess)) return '-';
    taken.add(guess);
    return guess;
  });
}
