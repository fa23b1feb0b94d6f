import { compile } from '../../../../src/rules/conditions/compile';
import { evaluate } from '../../../../src/rules/conditions/evaluate';
import type { Facts, JudgedContact } from '../../../../src/rules/conditions/evaluate';
import { foldCase } from '../../../../src/rules/conditions/text';
import type { Tree } from '../../../../src/rules/conditions/types';
import { only, parsed } from '../../../support/data/conditions';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY_MS = 86_400_000;

const ADA: JudgedContact = {
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  locale: 'en-GB',
  timezone: null,
  subscribed: true,
  data: null,
  createdAt: new Date('2026-06-15T10:00:00.000Z'),
  updatedAt: new Date('2026-06-01T00:00:00.000Z'),
};
const NO_FACTS: Facts = { occurrences: new Map(), memberOf: new Set() };

const matches = (tree: Tree, change: Partial<JudgedContact> = {}, facts: Facts = NO_FACTS): boolean =>
  evaluate(tree, { ...ADA, ...change }, facts, NOW);

test.each([
  ['equals', 'ada', true],
  ['equals', 'ADA', true],
  ['equals', 'ad', false],
  ['equals', '.da', false],
  ['notEquals', 'Bob', true],
  ['notEquals', 'aDA', false],
  ['contains', 'D', true],
  ['contains', '', true],
  ['contains', 'x', false],
  ['notContains', 'x', true],
  ['notContains', 'DA', false],
  ['startsWith', 'aD', true],
  ['startsWith', 'da', false],
  ['endsWith', 'DA', true],
  ['endsWith', 'ad', false],
  ['in', ['bob', 'ADA'], true],
  ['in', ['bob'], false],
  ['notIn', ['bob'], true],
  ['notIn', ['bob', 'ada'], false],
  ['exists', undefined, true],
  ['notExists', undefined, false],
])('firstName Ada %s %j: %s', (operator, value, expected) => {
  expect(matches(only('firstName', operator, value))).toBe(expected);
});

test.each([
  ['notEquals', 'x'],
  ['notContains', 'x'],
  ['notIn', ['x']],
  ['equals', ''],
  ['contains', ''],
  ['exists', undefined],
])('a contact without the field does not match %s %j', (operator, value) => {
  expect(matches(only('lastName', operator, value))).toBe(false);
  expect(matches(only('data.gone', operator, value))).toBe(false);
  expect(matches(only('data.gone', operator, value), { data: { gone: null } })).toBe(false);
  expect(matches(only('data.a.b', operator, value), { data: { a: 'text' } })).toBe(false);
  expect(matches(only('data.toString', operator, value), { data: {} })).toBe(false);
});

test.each([
  ['Straße', 'STRAẞE'],
  ['\u212aelvin', 'kelvin'],
  ['ſam', 'SAM'],
  ['ΣΟΦΟΣ', 'σοφος'],
  ['σοφος', 'σοφοσ'],
  ['É', 'é'],
  ['é', 'e\u0301'],
  ['E\u0301', 'é'],
  ['\u1112\u1161\u11ab', '\ud55c'],
  ['ᲜᲐ', 'ნა'],
  ['𐐀', '𐐨'],
])('%s and %s differ in case only', (one, other) => {
  expect(foldCase(one)).toBe(foldCase(other));
  expect(matches(only('firstName', 'equals', other), { firstName: one })).toBe(true);
  expect(matches(only('firstName', 'contains', one), { firstName: `x${other}y` })).toBe(true);
});

test.each([
  ['Straße', 'STRASSE'],
  ['İ', 'i'],
  ['ı', 'i'],
  ['ı', 'I'],
  ['é', 'e'],
  ['a', 'a\n'],
])('%j and %j are different texts', (one, other) => {
  expect(matches(only('firstName', 'equals', other), { firstName: one })).toBe(false);
  expect(matches(only('firstName', 'equals', one), { firstName: other })).toBe(false);
});

test.each([
  ['equals', true, true],
  ['equals', false, false],
  ['notEquals', false, true],
  ['notEquals', true, false],
])('a condition on subscribed: %s %s: %s', (operator, value, expected) => {
  expect(matches(only('subscribed', operator, value))).toBe(expected);
  expect(matches(only('subscribed', operator, value), { subscribed: false })).toBe(!expected);
});

const BEGINNING = '2026-06-15T00:00:00.000Z';
const END = '2026-06-15T23:59:59.999Z';
const BEFORE = '2026-06-14T23:59:59.999Z';
const AFTER = '2026-06-16T00:00:00.000Z';

/** Which of the four instants around a UTC day match. */
test.each([
  ['equals', '2026-06-15', [BEGINNING, END]],
  ['notEquals', '2026-06-15', [BEFORE, AFTER]],
  ['greaterThan', '2026-06-15', [AFTER]],
  ['greaterThanOrEqual', '2026-06-15', [BEGINNING, END, AFTER]],
  ['lessThan', '2026-06-15', [BEFORE]],
  ['lessThanOrEqual', '2026-06-15', [BEFORE, BEGINNING, END]],
  ['equals', '2026-06-15T00:00:00Z', [BEGINNING]],
  ['equals', '2026-06-15T02:00:00+02:00', [BEGINNING]],
  ['notEquals', '2026-06-15T02:00+0200', [BEFORE, END, AFTER]],
  ['greaterThan', '2026-06-15T00:00:00Z', [END, AFTER]],
  ['greaterThanOrEqual', '2026-06-15T00:00:00Z', [BEGINNING, END, AFTER]],
  ['lessThan', '2026-06-15T00:00:00Z', [BEFORE]],
  ['lessThanOrEqual', '2026-06-15T00:00:00Z', [BEFORE, BEGINNING]],
])('a condition on instants: %s %s', (operator, value, expected) => {
  const instants = [BEFORE, BEGINNING, END, AFTER];
  expect(instants.filter((at) => matches(only('createdAt', operator, value), { createdAt: new Date(at) }))).toEqual(expected);
  expect(instants.filter((at) => matches(only('data.at', operator, value), { data: { at } }))).toEqual(expected);
  const elsewhere = (at: string): string => new Date(Date.parse(at) + 19_800_000).toISOString().replace('Z', '+05:30');
  expect(instants.filter((at) => matches(only('data.at', operator, value), { data: { at: elsewhere(at) } }))).toEqual(expected);
});

test.each([
  ['within', 7, 'days', -7 * DAY_MS, true],
  ['within', 7, 'days', -7 * DAY_MS - 1, false],
  ['within', 7, 'days', 3_600_000, true],
  ['olderThan', 7, 'days', -7 * DAY_MS, false],
  ['olderThan', 7, 'days', -7 * DAY_MS - 1, true],
  ['within', 0.5, 'hours', -1_800_000, true],
  ['within', 0.5, 'hours', -1_800_001, false],
  ['within', 1, 'minutes', -60_000, true],
  ['within', 1e300, 'days', -7 * DAY_MS, true],
  ['olderThan', 1e300, 'days', -7 * DAY_MS, false],
])('a condition %s %d %s at now %d ms: %s', (operator, value, unit, ms, expected) => {
  const at = new Date(NOW.getTime() + ms);
  expect(matches(only('updatedAt', operator, value, { unit }), { updatedAt: at })).toBe(expected);
  expect(matches(only('data.at', operator, value, { unit }), { data: { at: at.toISOString() } })).toBe(expected);
});

test.each<[unknown, string, unknown, boolean]>([
  [5, 'equals', 5, true],
  [5, 'equals', '5', false],
  ['5', 'equals', 5, false],
  [5, 'notEquals', '5', true],
  [1, 'equals', true, false],
  [true, 'equals', 'true', false],
  [true, 'equals', true, true],
  [false, 'notEquals', true, true],
  [{ b: 1 }, 'notEquals', 'x', true],
  ['Pro', 'in', ['pro', 5], true],
  [5, 'in', ['5', true], false],
  [5, 'notIn', ['5', true], true],
  [5, 'greaterThan', 4, true],
  [5, 'greaterThan', 5, false],
  [5, 'greaterThanOrEqual', 5, true],
  [5, 'lessThan', 5, false],
  [5, 'lessThanOrEqual', 5, true],
  ['9', 'greaterThan', 5, false],
  [9, 'greaterThan', '2026-01-01', false],
  [5, 'contains', '5', false],
  [5, 'notContains', '5', true],
  ['', 'exists', undefined, true],
  [0, 'exists', undefined, true],
  [false, 'exists', undefined, true],
  [[], 'exists', undefined, true],
  [[null], 'exists', undefined, true],
  [{}, 'exists', undefined, true],
  [null, 'exists', undefined, false],
  [null, 'notExists', undefined, true],
  [['a', 'B'], 'equals', 'b', true],
  [['a', 'B'], 'notEquals', 'b', false],
  [['a', 'B'], 'notEquals', 'c', true],
  [[], 'notEquals', 'c', true],
  [['a', 5], 'greaterThan', 4, true],
  [['abc'], 'contains', 'B', true],
  [['abc'], 'notContains', 'B', false],
  [['a', 'b'], 'notIn', ['c', 'A'], false],
  [[['a']], 'equals', 'a', false],
  [['2026-06-15T10:00:00Z'], 'within', 1, true],
  ['2026-06-15T10:00:00', 'within', 1, false],
  ['2026-06-15', 'equals', '2026-06-15T00:00:00Z', true],
  ['2026-06-15T01:00:00+02:00', 'equals', '2026-06-14', true],
  ['2026-06-15t00:00:00z', 'equals', '2026-06-15T00:00:00Z', true],
  ['2026-02-30', 'equals', '2026-02-30', true],
  ['2026-02-30', 'greaterThan', '2026-01-01', false],
])('data %j %s %j: %s', (stored, operator, value, expected) => {
  const rest = operator === 'within' ? { unit: 'days' } : {};
  expect(matches(only('data.a', operator, value, rest), { data: { a: stored } })).toBe(expected);
  expect(matches(only('data.o.list.a', operator, value, rest), { data: { o: { list: [{ z: 1 }, { a: stored }] } } })).toBe(expected);
  expect(matches(only('trigger.a', operator, value, rest), {}, { ...NO_FACTS, trigger: { a: stored } })).toBe(expected);
});

test('fields of a triggering event are missing without one', () => {
  expect(matches(only('trigger.a', 'notExists'))).toBe(true);
  expect(matches(only('trigger.a', 'exists'), {}, { ...NO_FACTS, trigger: null })).toBe(false);
});

const yes = { field: 'firstName', operator: 'equals', value: 'Ada' };
const no = { field: 'firstName', operator: 'equals', value: 'Bob' };

test.each([
  ['and', [[yes], [yes]], true],
  ['and', [[yes], [no]], false],
  ['or', [[no], [yes]], true],
  ['or', [[no], [no]], false],
  ['or', [[yes, no], [no]], false],
  ['and', [[yes, yes]], true],
])('%s joins groups, filters of one are all needed', (logic, groups, expected) => {
  const raw = { logic, groups: groups.map((filters) => ({ filters })) };
  expect(matches(parsed(raw))).toBe(expected);
  expect(matches(parsed({ logic: 'or', groups: [{ filters: [yes], conditions: raw }] }))).toBe(expected);
  expect(matches(parsed({ logic: 'and', groups: [{ filters: [], conditions: raw }] }))).toBe(expected);
  expect(matches(parsed({ logic: 'or', groups: [{ filters: [no], conditions: raw }] }))).toBe(false);
});

test('what started an automation cannot be asked of a database', () => {
  expect(() => compile(only('trigger.a', 'exists'), { projectId: 'proj_1', now: NOW })).toThrow('What started an automation');
});
