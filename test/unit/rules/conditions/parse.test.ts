import { ConditionTree } from '../../../../api/http/conditions';
import { parseConditions } from '../../../../src/rules/conditions/parse';
import { parsed } from '../../../support/data/conditions';

const treeOf = (...filters: object[]) => ({ logic: 'and', groups: [{ filters }] });

function faultsOf(raw: unknown, options?: Parameters<typeof parseConditions>[1]): readonly string[] {
  const result = parseConditions(raw, options);
  if (!('faults' in result)) return [];
  expect(result.faults.every(({ code, message }) => code === 'invalid_condition' && message.length > 0)).toBe(true);
  return result.faults.map(({ path }) => path);
}

const OPERATORS = {
  text: ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'in', 'notIn', 'exists', 'notExists'],
  flag: ['equals', 'notEquals'],
  instant: ['equals', 'notEquals', 'greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual', 'within', 'olderThan'],
  activity: ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan', 'countAtLeast', 'countLessThan'],
  segment: ['memberOf', 'notMemberOf'],
} as const;
const ALL = [...new Set(Object.values(OPERATORS).flat())];

/** A right value for each operator, by row. */
function operand(row: string, operator: string): object {
  if (/^(?:exists|notExists|triggered|notTriggered|memberOf|notMemberOf)$/.test(operator)) return {};
  if (/ithin$|lderThan$/.test(operator)) return { value: 7, unit: 'days' };
  if (operator.startsWith('count')) return { value: 2 };
  const value = { text: 'x', flag: true, instant: '2026-06-15' }[row] ?? '2026-06-15';
  return { value: /^(?:in|notIn)$/.test(operator) ? [value] : value };
}

const FIELDS: readonly (readonly [string, string, readonly string[]])[] = [
  ...['email', 'firstName', 'lastName', 'locale', 'timezone'].map((field) => [field, 'text', OPERATORS.text] as const),
  ['subscribed', 'flag', OPERATORS.flag],
  ['createdAt', 'instant', OPERATORS.instant],
  ['updatedAt', 'instant', OPERATORS.instant],
  ['data.plan', 'data', [...OPERATORS.text, ...OPERATORS.instant]],
  ['data.a.b.c.d.e', 'data', [...OPERATORS.text, ...OPERATORS.instant]],
  ['event.shop/order:paid.v2', 'activity', OPERATORS.activity],
  ['event.email.opened', 'activity', OPERATORS.activity],
  ...['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'].map(
    (status) => [`email.${status}`, 'activity', OPERATORS.activity] as const,
  ),
  ['segment.seg_1', 'segment', OPERATORS.segment],
];

test.each(FIELDS)('%s takes the operators of its row and no other', (field, row, operators) => {
  for (const operator of ALL) {
    const raw = treeOf({ field, operator, ...operand(row, operator) });
    expect([operator, faultsOf(raw)]).toEqual([operator, operators.includes(operator) ? [] : ['conditions.groups.0.filters.0.operator']]);
    expect(ConditionTree.safeParse(raw).success).toBe(true);
  }
});

const long = (length: number): string => 'a'.repeat(length);

test.each([
  '',
  'Email',
  'name',
  'contactId',
  'data',
  'data.',
  'data..a',
  'data.a.',
  'data.a b',
  'data.0',
  'data.items.0.name',
  'data.$where',
  'data.a.$ne',
  'data.__proto__',
  'data.a.constructor',
  'data.prototype.x',
  'data.a.b.c.d.e.f',
  `data.${long(65)}`,
  'data.a\0',
  'data.ä',
  'event',
  'event.',
  'event..x',
  'event. x',
  `event.${long(129)}`,
  'email.',
  'email.queued',
  'email.failed',
  'email.Sent',
  'email.sent.x',
  'segment',
  'segment.',
  'segment.a b',
  'segment.$x',
  `segment.${long(65)}`,
  'trigger.plan',
  '__proto__.x',
  'constructor',
  'projectId',
  '_id',
])('%j is no field', (field) => {
  expect(faultsOf(treeOf({ field, operator: 'exists' }))).toEqual(['conditions.groups.0.filters.0.field']);
});

test('fields of the data of a triggering event exist where they are allowed', () => {
  const raw = treeOf({ field: 'trigger.order.total', operator: 'greaterThan', value: 5 });
  expect(faultsOf(raw)).toEqual(['conditions.groups.0.filters.0.field']);
  expect(faultsOf(raw, { allow: { trigger: true } })).toEqual([]);
  expect(faultsOf(treeOf({ field: 'trigger.__proto__', operator: 'exists' }), { allow: { trigger: true } })).toHaveLength(1);
});

const NO_DATES = [
  '',
  'today',
  '2026-02-30',
  '2026-13-01',
  '2026-06-15T12:00:00',
  '2026-06-15 12:00:00Z',
  '2026-6-1',
  '2026-06-15\n',
  20260615,
  null,
  true,
];

test.each([
  [
    'a text of another type',
    'firstName',
    ['equals', 'notEquals', 'contains', 'startsWith', 'endsWith'],
    [5, true, null, undefined, ['x'], {}],
  ],
  ['a text that is too long', 'firstName', ['equals', 'contains'], [long(1_001)]],
  ['no list', 'email', ['in', 'notIn'], ['x', [], null, undefined, {}, Array.from({ length: 10_001 }, () => 'x')]],
  ['a list of other types', 'email', ['in', 'notIn'], [[5], ['x', null], [['x']], ['x', true]]],
  ['no flag', 'subscribed', ['equals', 'notEquals'], ['true', 1, null, undefined]],
  ['no date', 'createdAt', OPERATORS.instant.slice(0, 6), [...NO_DATES, undefined]],
  ['no scalar', 'data.a', ['equals', 'notEquals'], [null, undefined, {}, ['x'], Infinity]],
  ['no list of scalars', 'data.a', ['in', 'notIn'], [[null], [{}], [[1]], [1, 'x', null]]],
  ['no text', 'data.a', ['contains', 'notContains', 'startsWith', 'endsWith'], [5, true, null, undefined]],
  ['neither number nor date', 'data.a', OPERATORS.instant.slice(2, 6), ['5', 'abc', true, null, undefined, NaN, '2026-02-30', [5]]],
  ['no number of times', 'event.x', ['countAtLeast', 'countLessThan'], [0, -1, 1.5, '2', null, undefined, 1e300]],
  ['a value where none is taken', 'event.x', ['triggered', 'notTriggered'], [null, true, 5, '']],
  ['a value where none is taken', 'segment.seg_1', ['memberOf'], [true]],
  ['a value where none is taken', 'data.a', ['exists', 'notExists'], [true]],
])('%s is a fault of the value: %s', (_what, field, operators, values) => {
  for (const operator of operators) {
    for (const value of values) {
      expect([operator, value, faultsOf(treeOf({ field, operator, value }))]).toEqual([
        operator,
        value,
        ['conditions.groups.0.filters.0.value'],
      ]);
    }
  }
});

test.each([
  ['no unit', 'createdAt', { operator: 'within', value: 7 }, ['unit']],
  ['an unknown unit', 'createdAt', { operator: 'olderThan', value: 7, unit: 'weeks' }, ['unit']],
  ['a name that every object has', 'createdAt', { operator: 'olderThan', value: 7, unit: 'toString' }, ['unit']],
  ['no amount', 'data.a', { operator: 'within', unit: 'days' }, ['value']],
  ['an amount of nothing', 'event.x', { operator: 'triggeredWithin', value: 0, unit: 'days' }, ['value']],
  ['a negative amount', 'event.x', { operator: 'notTriggeredWithin', value: -1, unit: 'days' }, ['value']],
  ['an amount in words', 'event.x', { operator: 'triggeredOlderThan', value: '7', unit: 'days' }, ['value']],
  ['neither amount nor unit', 'email.sent', { operator: 'triggeredWithin' }, ['unit', 'value']],
  ['half a window, no unit', 'event.x', { operator: 'countAtLeast', value: 2, within: 7 }, ['unit']],
  ['half a window, no amount', 'event.x', { operator: 'countLessThan', value: 2, unit: 'days' }, ['within']],
  ['a window of nothing', 'event.x', { operator: 'countLessThan', value: 2, within: 0, unit: 'days' }, ['within']],
  [
    'a wrong window and a wrong count',
    'event.x',
    { operator: 'countLessThan', value: 0, within: 0, unit: 'x' },
    ['unit', 'value', 'within'],
  ],
  ['a unit where none is taken', 'firstName', { operator: 'equals', value: 'x', unit: 'days' }, ['unit']],
  ['a unit beside nothing', 'event.x', { operator: 'triggered', unit: 'days' }, ['unit']],
  ['a window where none is taken', 'createdAt', { operator: 'within', value: 1, unit: 'days', within: 2 }, ['within']],
  ['a campaign of an event', 'event.email.opened', { operator: 'triggered', campaignId: 'cmp_1' }, ['campaignId']],
  ['a campaign of a value', 'data.a', { operator: 'exists', campaignId: 'cmp_1' }, ['campaignId']],
  ['no id of a campaign', 'email.opened', { operator: 'triggered', campaignId: 'a b' }, ['campaignId']],
  ['a node outside of automations', 'email.opened', { operator: 'triggered', nodeId: 'hello' }, ['nodeId']],
  ['everything superfluous at once', 'segment.s', { operator: 'memberOf', value: 1, unit: 'days', within: 1 }, ['unit', 'value', 'within']],
  ['an unknown operator of an unknown field', 'nothing', { operator: 'is' }, ['field', 'operator']],
  ['a known operator of an unknown field', 'nothing', { operator: 'equals' }, ['field']],
  ['a name that every object has', 'firstName', { operator: 'constructor', value: 'x' }, ['operator']],
])('a filter with faults: %s (%s)', (_what, field, rest, members) => {
  const faults = faultsOf(treeOf({ field, ...rest }));
  expect([...faults].sort()).toEqual(members.map((member) => `conditions.groups.0.filters.0.${member}`));
});

test('in automations, a filter of messages names a node, alone', () => {
  const membersAtFault = (field: string, rest: object) =>
    faultsOf(treeOf({ field, operator: 'triggered', ...rest }), { allow: { trigger: true } });
  const at = 'conditions.groups.0.filters.0.nodeId';
  expect(membersAtFault('email.opened', { nodeId: 'hello' })).toEqual([]);
  expect(membersAtFault('event.email.opened', { nodeId: 'hello' })).toEqual([at]);
  expect(membersAtFault('email.opened', { nodeId: 'a b' })).toEqual([at]);
  expect(membersAtFault('email.opened', { nodeId: 'hello', campaignId: 'cmp_1' })).toEqual([at]);
});

const good = { field: 'email', operator: 'exists' };
const bad = { field: 'email', operator: 'equals', value: 5 };

test('all faults are reported at once, each at its place, below the given path', () => {
  const raw = {
    logic: 'or',
    groups: [
      { filters: [good, bad, { field: 'x', operator: 'exists' }] },
      { filters: [], conditions: { logic: 'and', groups: [{ filters: [good] }, { filters: [{ ...good, unit: 'days' }] }] } },
    ],
  };
  for (const basePath of ['filter', 'graph.nodes.3.config.conditions']) {
    expect(faultsOf(raw, { basePath })).toEqual([
      `${basePath}.groups.0.filters.1.value`,
      `${basePath}.groups.0.filters.2.field`,
      `${basePath}.groups.1.conditions.groups.1.filters.0.unit`,
    ]);
  }
});

function nested(levels: number): object {
  return { logic: 'and', groups: [{ filters: [good], ...(levels > 1 && { conditions: nested(levels - 1) }) }] };
}
const repeat = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const group = (...filters: object[]) => ({ filters });
const and = (...groups: object[]) => ({ logic: 'and', groups });
const below = '.groups.0.conditions';

test.each([
  ['five levels', nested(5), []],
  ['six levels', nested(6), [`conditions${below.repeat(5)}`]],
  ['a hundred levels', nested(100), [`conditions${below.repeat(5)}`]],
  ['20 groups of 50 filters', and(...repeat(20, () => group(...repeat(50, () => good)))), []],
  ['21 groups', and(...repeat(21, () => group(good))), ['conditions.groups']],
  ['no group', and(), ['conditions.groups']],
  ['51 filters', and(group(...repeat(51, () => good))), ['conditions.groups.0.filters']],
  ['no filter', and(group(good), group()), ['conditions.groups.1.filters']],
  ['no filter beside a nested tree', and({ filters: [], conditions: and(group(good)) }), []],
  ['1,001 filters in all', and({ ...group(good), conditions: and(...repeat(20, () => group(...repeat(50, () => good)))) }), ['conditions']],
  [
    '100 different events',
    and(...repeat(2, (g) => group(...repeat(50, (n) => ({ field: `event.e${g * 50 + n}`, operator: 'triggered' }))))),
    [],
  ],
  [
    'an event too many',
    and(
      ...repeat(2, (g) => group(...repeat(50, (n) => ({ field: `event.e${g * 50 + n}`, operator: 'triggered' })))),
      group({ field: 'email.sent', operator: 'triggered' }),
    ),
    ['conditions'],
  ],
  ['one event 200 times', and(...repeat(4, () => group(...repeat(50, () => ({ field: 'event.e', operator: 'triggered' }))))), []],
  [
    'too much text',
    and(...repeat(11, () => group(...repeat(50, () => ({ field: 'data.a', operator: 'in', value: [long(1_000), long(999)] }))))),
    ['conditions'],
  ],
])('the limits of conditions: %s', (_what, raw, paths) => {
  expect(faultsOf(raw)).toEqual(paths);
});

test('half a character becomes what a database makes of it', () => {
  expect(parsed(treeOf({ field: 'firstName', operator: 'equals', value: 'a\ud800b👍' })).groups[0]?.filters[0]).toEqual({
    on: 'value',
    target: { in: 'field', name: 'firstName' },
    test: { is: 'equal', negated: false, values: ['a\ufffdb👍'] },
  });
});
