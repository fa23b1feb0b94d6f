import mongoose from 'mongoose';
import { compile } from '../../../../src/rules/conditions/compile';
import { evaluate } from '../../../../src/rules/conditions/evaluate';
import type { Tree } from '../../../../src/rules/conditions/types';
import { aProject } from '../../../support/platform/app';
import { sampleContacts } from '../../../support/data/condition-samples';
import { only } from '../../../support/data/conditions';
import { all } from '../../../support/calls/segment-calls';

const NOW = new Date();
const [blank] = sampleContacts(1);
const PIECES = ['ϑ', 'aϑ', 'aä', '.', '\0', 'x', 'ab', '𐐀', 'ﬅ.'];
const longest = (piece: string): string => piece.repeat(Math.floor(1_000 / piece.length));

const app = aProject();
const contacts = () => mongoose.connection.collection<{ _id: string }>('contacts');

/** Contacts of a project of their own with such values in `data.a`. */
async function withValues(projectId: string, values: readonly unknown[]) {
  const rows = values.map((a, index) => ({ ...blank!, _id: `${projectId}_${index}`, projectId, data: { a } }));
  await contacts().insertMany(rows);
  return async (tree: Tree): Promise<readonly [found: string[], expected: string[]]> => {
    const { stages } = compile(tree, { projectId, now: NOW });
    const found = await contacts()
      .aggregate<{ _id: string }>([{ $match: { projectId } }, ...stages], { maxTimeMS: 20_000 })
      .toArray();
    const expected = rows.filter((row) => evaluate(tree, row, { occurrences: new Map(), memberOf: new Set() }, NOW));
    return [found.map(({ _id }) => _id).sort(), expected.map(({ _id }) => _id).sort()];
  };
}

test.each(PIECES)('the longest text of %j is looked for', async (piece) => {
  const value = longest(piece);
  const other = `${value.slice(0, -1)}!`;
  const values = [value.toUpperCase(), other, `-${value}`, `${value}-`, [other, 'x', value.toLowerCase()], value.slice(1), 'x', 5, null];
  const judge = await withValues(`long_${PIECES.indexOf(piece)}`, values);
  let matched = 0;
  for (const operator of ['equals', 'notEquals', 'startsWith', 'endsWith', 'contains', 'notContains']) {
    const [found, expected] = await judge(only('data.a', operator, value));
    expect([operator, found]).toEqual([operator, expected]);
    matched += found.length;
  }
  const [found, expected] = await judge(only('data.a', 'in', [value, `-${value}`.slice(0, 1_000), 'x']));
  expect(found).toEqual(expected);
  expect(matched).toBeGreaterThan(10);
  for (const field of ['email', 'firstName']) {
    const [nobody, none] = await judge(only(field, 'startsWith', value));
    expect([nobody, none]).toEqual([[], []]);
  }
});

const many = <T>(make: (index: number) => T): T[] => Array.from({ length: 10_000 }, (_, index) => make(index));
const code = (index: number): string => `Customer-${(index * 2_654_435_761) % 4_294_967_296}`;
const instant = (index: number): string => new Date(index * 7_000_000_000).toISOString();

test.each<readonly [string, readonly unknown[], readonly unknown[]]>([
  ['codes', many(code), [code(3).toLowerCase(), code(9_999), code(10_001), 'Customer-', ['x', code(1)]]],
  ['words that begin alike', many((index) => 'ab'.repeat(1 + (index % 90)) + index), ['ab5', 'abab', `${'AB'.repeat(2)}1`, 'ab']],
  [
    'one letter more each',
    Array.from({ length: 1_000 }, (_, index) => 'a'.repeat(index + 1)),
    ['', 'a', 'A'.repeat(999), 'a'.repeat(1_001)],
  ],
  ['letters outside ASCII', many((index) => `ÄÖÜẞ${index}ϑ`), ['äöüß7ϑ', 'äöü', 'ÄÖÜß9999Θ', '𐐀']],
  ['letters of two halves', ['𐐀a', '𐐀b', '𐐁', '😀', '😁x'], ['𐐨A', '𐐩', '😁X', '😁', '\ud83d']],
  ['numbers', many((index) => index * 2), [5, 6, '6', [7, 8], 20_000]],
  [
    'instants',
    many(instant),
    [instant(4), instant(4).replace('Z', '+00:00'), '1970-01-01T00:00:00Z', '1971-02-30', [instant(10_000), instant(1)]],
  ],
  [
    'days',
    many((index) => instant(index).slice(0, 10)),
    [`${instant(4).slice(0, 10)}T23:59:59.999Z`, '1970-01-02', `${instant(0).slice(0, 10)}T01:00+02:00`, '1969-12-31T23:59:59Z'],
  ],
  [
    'days long ago',
    ['0001-01-01', '1582-10-10', '1899-12-31', '9999-12-31'],
    ['0001-01-01T12:00Z', '1582-10-10T23:59Z', '1899-12-31T00:00Z', '1900-01-01'],
  ],
])('a list of as many %s as may be matches the same in the database and in memory', async (what, list, values) => {
  const judge = await withValues(`list_${what}`, values);
  for (const operator of ['in', 'notIn']) {
    const [found, expected] = await judge(only('data.a', operator, list));
    expect([operator, found]).toEqual([operator, expected]);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(values.length);
  }
});

test.each([
  ['codes', code],
  ['dates', instant],
])('a long list of %s is looked for among many contacts within the time of a query', async (what, make) => {
  const judge = await withValues(
    `quick_${what}`,
    Array.from({ length: 2_000 }, (_, index) => make(index * 11)),
  );
  const [found, expected] = await judge(only('data.a', 'in', many(make)));
  expect(found).toEqual(expected);
  expect(found).toHaveLength(910);
});

test('a segment takes the longest list and the longest text', async () => {
  const emails = many((index) => `somebody.with.a.name.${index}@customers.example.com`);
  await app.api().post('/v1/contacts').send({ email: emails[77] }).expect(201);
  const conditions = all({ field: 'email', operator: 'in', value: emails }, { field: 'data.a', operator: 'notExists' });
  expect((await app.api().post('/v1/segments').send({ name: 'Listed', conditions }).expect(201)).body.data.memberCount).toBe(1);
  const text = all({ field: 'data.a', operator: 'notEquals', value: longest('aä') });
  expect((await app.api().post('/v1/segments/preview').send({ conditions: text }).expect(200)).body.data.count).toBe(0);
});

test('a segment keeps a description of several lines', async () => {
  const description = `First\r\nSecond\n${'x'.repeat(9_900)}`;
  const { body } = await app.api().post('/v1/segments').send({ name: 'x', type: 'static', description }).expect(201);
  expect(body.data.description).toBe(description);
  await app
    .api()
    .post('/v1/segments')
    .send({ name: 'x', type: 'static', description: 'x'.repeat(10_001) })
    .expect(422);
});
