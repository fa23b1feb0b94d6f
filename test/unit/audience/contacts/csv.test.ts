import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { cellText, csvLine, splitCells, typedCell, readHeader } from '../../../../src/audience/lists/csv-cells';
import { CsvScanner, MAX_CELL_BYTES } from '../../../../src/audience/lists/csv-scanner';
import type { CsvRow } from '../../../../src/audience/lists/csv-scanner';

/** The rows of a file that comes in pieces of these sizes, the last of which repeats. */
function scan(file: Buffer | string, sizes: readonly number[] = [1_000_000], delimiter = ',', offset = 0): CsvRow[] {
  const bytes = Buffer.from(file);
  const scanner = new CsvScanner(delimiter, offset);
  const rows: CsvRow[] = [];
  for (let at = offset, n = 0; at < bytes.length; n++) {
    const size = sizes[Math.min(n, sizes.length - 1)] ?? 1;
    rows.push(...scanner.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return [...rows, ...scanner.end()];
}

const cells = (rows: readonly CsvRow[]): (readonly string[])[] => rows.map((row) => row.cells);
const faults = (rows: readonly CsvRow[]): CsvRow['fault'][] => rows.map((row) => row.fault);

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\t', '\r', '\n', ' ', '0'), maxLength: 8 });
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 });
const piece = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

describe('scanner', () => {
  test('reads back any written table, however the bytes come', () => {
    fc.assert(
      fc.property(table, piece, (rows, sizes) => {
        const file = rows.map(csvLine).join('');
        expect(cells(scan(file, sizes))).toEqual(rows);
      }),
    );
  });

  test('reads what another library reads', () => {
    const lineEnd = fc.constantFrom('\r\n', '\n', '\r');
    fc.assert(
      fc.property(table, fc.constantFrom(',', ';', '\t'), lineEnd, piece, (rows, delimiter, end, sizes) => {
        const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const file = rows.map((row) => row.map(quoted).join(delimiter) + end).join('');
        const expected: string[][] = parse(file, { delimiter, record_delimiter: end, relax_column_count: true });
        expect(cells(scan(file, sizes, delimiter))).toEqual(expected);
      }),
    );
  });

  test('goes on at the end of any row as if it had read all of them', () => {
    fc.assert(
      fc.property(table, piece, fc.constantFrom('\r\n', '\n', '\r'), (rows, sizes, end) => {
        const file = rows.map((row) => csvLine(row).replace(/\r\n$/, end)).join('');
        const all = scan(file);
        for (const [index, { end: offset }] of all.entries()) {
          expect(scan(file, sizes, ',', offset)).toEqual(all.slice(index + 1));
        }
      }),
    );
  });

  test('rows end in CR, LF or CRLF, mixed; empty lines are none; the last needs no end', () => {
    expect(cells(scan('a,b\rc,d\ne,f\r\n\r\n\n\rg,h'))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h'],
    ]);
  });

  test('a quotation mark within bare text is text; text behind a closing one is a fault of that row alone', () => {
    const rows = scan('5" nail,b\n"a"x,c\n"d""e",f\n');
    expect(cells(rows)).toEqual([
      ['5" nail', 'b'],
      ['ax', 'c'],
      ['d"e', 'f'],
    ]);
    expect(faults(rows)).toEqual([null, 'quotes', null]);
  });

  test('blanks around quotation marks are none of the cell, however the bytes come', () => {
    const file = 'a@x, "Doe, Jane" ,b\n  "x ""y"" " \t,\t"z"\n "a" b, c "d", e \n';
    for (const size of [1_000, 1, 3]) {
      const rows = scan(file, [size]);
      expect(cells(rows)).toEqual([
        ['a@x', 'Doe, Jane', 'b'],
        ['x "y" ', 'z'],
        ['ab', ' c "d"', ' e '],
      ]);
      expect(faults(rows)).toEqual([null, null, 'quotes']);
    }
    expect(cells(scan('a\t "b\tc"\t\t"d"\n', [1], '\t'))).toEqual([['a', 'b\tc', '', 'd']]);
  });

  test('a quotation mark that is never closed takes the rest of the file with it', () => {
    const rows = scan('a,b\nc,"d\ne,f\n');
    expect(faults(rows)).toEqual([null, 'unclosed']);
  });

  test('a row that is not UTF-8 is reported, and the others are read', () => {
    const file = Buffer.concat([Buffer.from('a@x.de,Ada\nb@x.de,'), Buffer.from('Jos\xe9', 'latin1'), Buffer.from('\nc@x.de,José\n')]);
    const rows = scan(file, [7]);
    expect(faults(rows)).toEqual([null, 'encoding', null]);
    expect(rows[1]?.cells[0]).toBe('b@x.de');
    expect(rows[2]?.cells[1]).toBe('José');
  });

  test.each([1_000_000, 4_096, 100])('a cell has at most 32 KiB, counted as what it says (pieces of %d bytes)', (size) => {
    const most = 'x'.repeat(MAX_CELL_BYTES);
    const marks = '""'.repeat(MAX_CELL_BYTES);
    const rows = scan(`a,${most}\nb,"${marks}"\nc,${most}x,d\ne,"${marks}""",f\n"${most}x",g\nh,i\n`, [size]);
    expect(faults(rows)).toEqual([null, null, 'cell', 'cell', 'cell', null]);
    expect(rows.map((row) => row.cells[0]?.slice(0, 1))).toEqual(['a', 'b', 'c', 'e', expect.any(String), 'h']);
  });

  test('a row of many cells has at most 1 MiB', () => {
    const wide = `${'x'.repeat(30_000)},`.repeat(36);
    for (const size of [50_000, 262_144, 2_000_000]) expect(faults(scan(`a,b\n${wide}\nc,d\n`, [size]))).toEqual([null, 'row', null]);
  });

  test('a cell of 64 MiB is passed over in flat memory', () => {
    const scanner = new CsvScanner(',', 0);
    const block = Buffer.alloc(262_144, 'x');
    const before = process.memoryUsage().arrayBuffers;
    expect([...scanner.push(Buffer.from('a@x.de,"'))]).toEqual([]);
    let most = 0;
    for (let n = 0; n < 256; n++) {
      expect([...scanner.push(block)]).toEqual([]);
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    const rows = [...scanner.push(Buffer.from('"\nb@x.de,1\n'))];
    expect(rows.map((row) => [row.cells[0], row.fault])).toEqual([
      ['a@x.de', 'cell'],
      ['b@x.de', null],
    ]);
    expect(most).toBeLessThan(4 * 1024 * 1024);
  });
});

test('cells of a row, quoted or not', () => {
  expect(splitCells('', ',')).toEqual(['']);
  expect(splitCells('"",', ',')).toEqual(['', '']);
  expect(splitCells('a;"b;c";"d""e"', ';')).toEqual(['a', 'b;c', 'd"e']);
});

describe('cells', () => {
  test.each([
    ['12', 12],
    ['-0.5', -0.5],
    ['1.50', '1.50'],
    ['01234', '01234'],
    ['+1', '+1'],
    ['1e3', '1e3'],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', '9007199254740993'],
    ['1e+21', 1e21],
    ['1e21', '1e21'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['-0', '-0'],
    [' 1', ' 1'],
    ['true', true],
    ['false', false],
    ['TRUE', true],
    ['False', false],
    [' true', ' true'],
    ['truefalse', 'truefalse'],
    ['null', 'null'],
    ['[1]', '[1]'],
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00Z'],
    ['', ''],
  ])('%j is read as %j', (text, value) => expect(typedCell(text)).toBe(value));

  test.each([
    [null, ''],
    [undefined, ''],
    [0, '0'],
    [false, 'false'],
    ['=1+1', '=1+1'],
    [['a', 1], '["a",1]'],
    [{ a: null }, '{"a":null}'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('%j is shown as %j', (value, text) => expect(cellText(value)).toBe(text));
});

describe('header', () => {
  const header = (text: string | Buffer, whole = true) => readHeader(Buffer.from(text), whole);

  test.each([
    ['email,name\na@x.de,Ada', ',', ['email', 'name'], 11],
    ['\ufeffemail;name\r\na', ';', ['email', 'name'], 14],
    ['email\tname\ra', '\t', ['email', 'name'], 11],
    ['\r\nemail\n', ',', ['email'], 8],
    ['email', ',', ['email'], 5],
    ['"a,b,c";email;"x\ny"\n', ';', ['a,b,c', 'email', 'x\ny'], 20],
    ['email,"x;y;z"\n', ',', ['email', 'x;y;z'], 14],
    ['email, "x, y"\n', ',', ['email', 'x, y'], 14],
    ['sep=;\r\nemail;a,b\r\nx', ';', ['email', 'a,b'], 17],
    ['\ufeffSEP=\t\nemail\ta;b;c\n', '\t', ['email', 'a;b;c'], 21],
    ['"sep=,"\r\remail;x,y', ',', ['email;x', 'y'], 18],
    ['sep=|\nemail|a', '|', ['email', 'a'], 13],
  ])('%j', (text, delimiter, names, end) => expect(header(text)).toEqual({ delimiter, names, end }));

  test('is waited for until its line has ended', () => {
    expect(header('email,na', false)).toBeNull();
    expect(header('email,"na\n', false)).toBeNull();
    expect(header('email,name\n', false)).toMatchObject({ end: 11 });
    expect(header('sep=;', false)).toBeNull();
    expect(header('sep=;\r\nemail', false)).toBeNull();
  });

  test.each([
    ['', 'too_small'],
    ['\ufeff\n\n', 'too_small'],
    [Buffer.from('e-mail,pr\xe9nom\n', 'latin1'), 'invalid_string'],
    [Buffer.from('\ufeffemail', 'utf16le'), 'invalid_string'],
    ['x'.repeat(1_048_577), 'too_big'],
    ['sep=;\n\n', 'too_small'],
    [`email${','.repeat(20_000)}\n`, 'too_big'],
  ])('%#: is refused', (text, code) => {
    expect(() => header(text)).toThrow(expect.objectContaining({ details: [expect.objectContaining({ path: 'file', code })] }) as Error);
  });
});
