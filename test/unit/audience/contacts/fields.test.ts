import { fieldTypeOf, fieldCounts } from '../../../../src/audience/contacts/fields';

test.each<[unknown, string | null]>([
  ['text', 'string'],
  ['', 'string'],
  ['2026', 'string'],
  ['2026-1-1', 'string'],
  ['2026-13-01', 'string'],
  ['2026-01-01 ', 'string'],
  ['2026-01-01\n', 'string'],
  ['x2026-01-01', 'string'],
  ['2026-01-01T25:00Z', 'string'],
  ['2026-02-29', 'string'],
  ['2026-02-30T10:00:00Z', 'string'],
  ['2026-04-31', 'string'],
  ['2100-02-29', 'string'],
  ['2028-02-29', 'date'],
  ['2000-02-29', 'date'],
  ['2026-12-31', 'date'],
  ['2026-01-01', 'date'],
  ['2026-01-01T10:00', 'date'],
  ['2026-01-01T10:00:00Z', 'date'],
  ['2026-01-01T10:00:00.123+02:00', 'date'],
  [0, 'number'],
  [1.5, 'number'],
  [false, 'boolean'],
  [[], 'array'],
  [{}, 'object'],
  [null, null],
  [undefined, null],
])('the type of %j is %s', (value, type) => {
  expect(fieldTypeOf(value)).toBe(type);
});

describe('what a change does to the counts', () => {
  test('of a new contact, and of one that is gone', () => {
    expect(fieldCounts(null, { a: 1, b: 'x' })).toEqual([
      { field: 'a', type: 'number', by: 1 },
      { field: 'b', type: 'string', by: 1 },
    ]);
    expect(fieldCounts({ a: [] }, null)).toEqual([{ field: 'a', type: 'array', by: -1 }]);
  });

  test('is nothing for another value of the same type', () => {
    expect(fieldCounts({ a: 1, b: '2026-01-01' }, { a: 2, b: '2027-01-01' })).toEqual([]);
    expect(fieldCounts(null, null)).toEqual([]);
  });

  test('moves a field from type to type', () => {
    expect(fieldCounts({ a: 'x', b: 1 }, { a: '2026-01-01' })).toEqual([
      { field: 'a', type: 'string', by: -1 },
      { field: 'a', type: 'date', by: 1 },
      { field: 'b', type: 'number', by: -1 },
    ]);
  });

  test('knows own members only', () => {
    expect(fieldCounts(null, { constructor: 1, toString: 'x' })).toHaveLength(2);
    expect(fieldCounts({ constructor: 1 }, {})).toEqual([{ field: 'constructor', type: 'number', by: -1 }]);
  });
});
