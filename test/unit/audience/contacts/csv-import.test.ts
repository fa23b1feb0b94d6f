import fc from 'fast-check';
import { columnsNamed, columnsOf } from '../../../../src/audience/lists/import-columns';
import { RowSet, supersededRows } from '../../../../src/audience/lists/import-duplicates';
import { changeOfRow, readRow } from '../../../../src/audience/lists/import-row';
import type { ContactFields } from '../../../../src/rules/contact-change';
import { excess } from '../../../support/checks/yardstick';

describe('columns', () => {
  test.each([
    [['email'], ['email']],
    [
      ['E-Mail', 'FIRST NAME', 'last_name', 'Locale', 'SUBSCRIBED'],
      ['email', 'firstName', 'lastName', 'locale', 'subscribed'],
    ],
    [
      ['email', 'createdAt', 'updated_at', 'Contact-ID', 'projectId'],
      ['email', '', '', '', ''],
    ],
    [
      ['email', 'plan', 'Plan_2', 'data.plan-3'],
      ['email', 'data.plan', 'data.Plan_2', 'data.plan-3'],
    ],
    [
      ['email', 'data.Plan', 'data.plan', 'data.email', 'data.pl_an'],
      ['email', 'data.Plan', 'data.plan', 'data.email', 'data.pl_an'],
    ],
    [
      [' email ', ' plan '],
      ['email', 'data.plan'],
    ],
    [
      ['email', 'Company Name', 'Größe (cm)', 'Prénom', '2nd phone', '-x', '$where', 'a.b'],
      ['email', 'data.Company_Name', 'data.Gro_e__cm_', 'data.Prenom', 'data._2nd_phone', 'data._-x', 'data._where', 'data.a_b'],
    ],
    [
      ['', 'email', ' ', 'plan', ''],
      ['unnamed', 'email', 'unnamed', 'data.plan', 'unnamed'],
    ],
    [
      ['email', '\u540d\u524d', '\u4f4f\u6240', '\u00e4', 'a', 'a.', '___2'],
      ['email', 'data.__', 'data.___3', 'data.a_2', 'data.a', 'data.a_', 'data.___2'],
    ],
    [
      ['email', `${'x'.repeat(70)} 1`, `${'x'.repeat(70)} 2`],
      ['email', `data.${'x'.repeat(64)}`, `data.${'x'.repeat(62)}_2`],
    ],
  ])('%j', (names, columns) => expect(columnsOf(names)).toEqual(columns));

  test.each([
    [['name'], 'no column “email”'],
    [['email', 'E-mail'], '“E-mail” is given twice'],
    [['email', 'plan', 'data.plan'], '“data.plan” is given twice'],
    [['email', 'Plan', 'plan'], '“plan” is given twice'],
    [['email', 'createdAt', 'created at'], '“created at” is given twice'],
    [['email', 'Company Name', 'company-name'], '“company-name” is given twice'],
    [['email', 'data.a b'], '“data.a b” cannot be a field'],
    [['email', 'data.a.b'], '“data.a.b” cannot be a field'],
    [['email', '__proto__'], '“__proto__” cannot be a field'],
    [['email', 'data.constructor'], '“data.constructor” cannot be a field'],
    [['email', 'prototype'], '“prototype” cannot be a field'],
  ])('%j: %s', (names, message) => expect(() => columnsOf(names)).toThrow(message));

  test('reports all faults at once', () => {
    const codes = ['invalid_string', 'invalid_combination', 'invalid_type'];
    const details = codes.map((code) => expect.objectContaining({ path: 'file', code }));
    expect(() => columnsOf(['data.a b', 'x', 'x'])).toThrow(expect.objectContaining({ details }) as Error);
  });
});

describe('columns named beside the file', () => {
  test('stand in the place of the headers, and leave out what they leave out', () => {
    expect(columnsNamed(['-', 'email', '-', 'data.plan', 'First Name'], 5)).toEqual(['', 'email', '', 'data.plan', 'firstName']);
  });

  test.each([
    [['email', 'plan'], 3, 'The file has 3 columns, and 2 are named'],
    [['email', 'email'], 2, 'is given twice'],
    [['-', 'plan'], 2, 'no column “email”'],
    [['email', ''], 2, 'Column 2 has no header'],
    [['email', 'a b'], 2, '“a b” cannot be a field'],
  ])('%j of %d: %s', (names, headers, message) => expect(() => columnsNamed(names, headers)).toThrow(message));
});

const COLUMNS = columnsOf(['email', 'firstName', 'lastName', 'locale', 'subscribed', 'plan', 'age']);
const row = (...cells: string[]) => readRow(COLUMNS, { cells, fault: null, end: 0 });

describe('a row by itself', () => {
  test.each([
    [['Ada@Example.COM']],
    [[' a@x.de ', 'Ada', '', 'de-CH', 'Yes']],
    [['a@x.de', '', '', '', '0', 'x', 'y', '', '']],
    [['a@bücher.example']],
    [['a@x.de', '', '', 'not a locale', '', '', '', ' ']],
  ])('%j is taken', (cells) =>
    expect(row(...cells)).toMatchObject({ message: null, email: expect.stringMatching(/^a(da)?@[a-z0-9.-]+$/) }),
  );

  test.each([
    [[''], null, 'The row has no address'],
    [['not an address'], 'not an address', 'Not an e-mail address'],
    [['a@x.de', 'x'.repeat(201)], 'a@x.de', 'firstName has more than 200 characters'],
    [['a@x.de', '', 'a\nb'], 'a@x.de', 'lastName must be one line'],
    [['a@x.de', '', '', '', ' maybe '], 'a@x.de', 'subscribed is none of true, false, 1, 0, yes, no: "maybe"'],
    [['a@x.de', '', '', '', 'constructor'], 'a@x.de', 'subscribed is none of true, false, 1, 0, yes, no: "constructor"'],
    [['a@x.de', '', '', '', '', '', '', 'surplus'], 'a@x.de', 'The row has 8 cells, the header 7'],
  ])('%j is refused', (cells, email, message) => expect(row(...cells)).toEqual({ email, message }));
});

test('a cell in a column without a header has to be empty', () => {
  const columns = columnsOf(['email', '', 'plan', '']);
  const read = (...cells: string[]) => readRow(columns, { cells, fault: null, end: 0 }).message;
  expect([read('a@x.de', '', 'x'), read('a@x.de', ' ', 'x', '')]).toEqual([null, null]);
  expect(read('a@x.de', '', 'x', ' 7')).toBe('A cell in a column without a header is not empty: "7"');
});

describe('what a row changes', () => {
  const current: ContactFields = {
    firstName: 'Ada',
    lastName: null,
    subscribed: false,
    locale: 'de',
    timezone: 'Europe/Berlin',
    optedOutAt: null,
    data: { plan: '12', age: 12, list: [1, { a: null }], flag: true },
  };
  const columns = columnsOf(['email', 'firstName', 'locale', 'subscribed', 'plan', 'age', 'list', 'flag']);
  const change = (cells: string[], before: ContactFields | null = current) => changeOfRow(columns, ['a@x.de', ...cells], before);

  test('empty and missing cells, and cells that show the stored value, change nothing', () => {
    expect(change(['', '', '', '', '', ''])).toEqual({});
    expect(change([])).toEqual({});
    expect(change(['', '', 'false', '12', '12', '[1,{"a":null}]', 'true'])).toEqual({});
  });

  test('other cells are typed', () => {
    expect(change(['Eve', 'fr', 'yes', '13', '013', '[1]', 'false'])).toEqual({
      firstName: 'Eve',
      locale: 'fr',
      subscribed: true,
      data: { plan: 13, age: '013', list: '[1]', flag: false },
    });
    expect(change(['', '', 'no', '12'], null)).toEqual({ subscribed: false, data: { plan: 12 } });
    expect(change(['', '', '', 'TRUE', 'False'], null)).toEqual({ data: { plan: true, age: false } });
    expect(change(['', '', '', '', '', '', 'TRUE'])).toEqual({ data: { flag: true } });
  });

  test.each([
    ['en_US', 'en-US'],
    [' zh_Hant_TW ', 'zh-Hant-TW'],
    ['pt-BR', 'pt-BR'],
    ['klingon speech', undefined],
    ['en_US.UTF-8', undefined],
    [' ', undefined],
  ])('the locale %j is read as %j', (cell, locale) => {
    expect(change(['Eve', cell])).toEqual({ firstName: 'Eve', ...(locale && { locale }) });
  });
});

describe('superseded rows', () => {
  const address = fc.integer({ min: 0, max: 60 }).map((n) => `user-${n}@example.com`);
  const found = async (emails: readonly string[], capacity?: number): Promise<number[]> => {
    const rows = await supersededRows(async (see) => {
      for (const [index, email] of emails.entries()) if (!see({ row: index + 1, email })) return;
    }, capacity);
    const kept = RowSet.from(rows.bytes() ?? new Uint8Array());
    return emails.map((_, index) => index + 1).filter((row) => kept.has(row));
  };
  const expected = (emails: readonly string[]): number[] =>
    emails.flatMap((email, index) => (emails.lastIndexOf(email) > index ? [index + 1] : []));

  test('are those whose address comes again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(address, { maxLength: 200 }), async (emails) => {
        expect(await found(emails)).toEqual(expected(emails));
      }),
    );
  });

  test('also when there are more addresses than the table holds, and when it grows', async () => {
    const emails = Array.from({ length: 60_000 }, (_, n) => `user-${(n * 7919) % 45_000}@example.com`);
    const [whole, shared] = [await found(emails), await found(emails, 1 << 14)];
    expect(whole).toHaveLength(15_000);
    expect(shared).toEqual(whole);
    expect(whole[0]).toBe(1);
  });
});

test('a short row takes no longer for the columns that it leaves out', async () => {
  const columns = columnsOf(['email', ...Array.from({ length: 150_000 }, (_, index) => `field_${index}`)]);
  const row = { cells: ['a@example.com'], fault: null, end: 1 };
  const work = (): void => {
    for (let rows = 0; rows < 5_000; rows++) {
      expect(readRow(columns, row).message).toBeNull();
      changeOfRow(columns, row.cells, null);
    }
  };
  expect(await excess(work)).toBe(0);
});
