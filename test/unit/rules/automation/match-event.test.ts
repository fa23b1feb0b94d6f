import { eventMatches } from '../../../../src/rules/automation/match-event';
import { excess } from '../../../support/checks/yardstick';

const data = {
  plan: 'Pro',
  count: 3,
  paid: true,
  note: null,
  order: { total: 10, address: { city: 'Berlin' } },
  tags: ['new', 'vip', 7],
  items: [{ sku: 'a', sizes: [1, 2] }, { sku: 'b' }],
  nested: [[1, 2], [{ x: 1 }]],
};

test.each<[string, Record<string, unknown> | undefined, boolean]>([
  ['no filter', undefined, true],
  ['an empty filter', {}, true],
  ['a text', { plan: 'Pro' }, true],
  ['a text in another case', { plan: 'pro' }, false],
  ['a part of a text', { plan: 'Pr' }, false],
  ['a number', { count: 3 }, true],
  ["a number's text", { count: '3' }, false],
  ['true', { paid: true }, true],
  ["true's text", { paid: 'true' }, false],
  ['1 for true', { paid: 1 }, false],
  ['null', { note: null }, true],
  ['null where nothing is', { missing: null }, false],
  ['a path', { 'order.total': 10 }, true],
  ['a longer path', { 'order.address.city': 'Berlin' }, true],
  ['a path past a text', { 'plan.length': 3 }, false],
  ['a path to nowhere', { 'order.gone.city': 'Berlin' }, false],
  ['a whole object', { 'order.address': { city: 'Berlin' } }, true],
  ['a part of an object', { order: { total: 10 } }, false],
  ['an element of a list', { tags: 'vip' }, true],
  ['a number in a list', { tags: 7 }, true],
  ['no element of a list', { tags: 'old' }, false],
  ['a whole list', { tags: ['new', 'vip', 7] }, true],
  ['a list in another order', { tags: ['vip', 'new', 7] }, false],
  ['an element by its place', { 'tags.1': 'vip' }, true],
  ['a place that is not there', { 'tags.9': 'vip' }, false],
  ['the length of a list', { 'tags.length': 3 }, false],
  ['a member of an element', { 'items.sku': 'b' }, true],
  ['a member of the element at a place', { 'items.0.sku': 'b' }, false],
  ['a list within an element', { 'items.sizes': 2 }, true],
  ['an inner list', { nested: [1, 2] }, true],
  ['an element of an inner list', { nested: 1 }, false],
  ['two that hold', { plan: 'Pro', count: 3 }, true],
  ['two, one of which holds', { plan: 'Pro', count: 4 }, false],
  ['what every object inherits', { 'constructor.name': 'Object' }, false],
  ['__proto__', { '__proto__.x': 1 }, false],
  ['what an object inherits, as a value', { 'order.__proto__': {} }, false],
  ['an empty path', { '': 'Pro' }, false],
])('a filter of events: %s', (_what, filter, expected) => {
  expect(eventMatches(filter, data)).toBe(expected);
});

test('an event without data fits only where nothing is asked', () => {
  expect([null, undefined, {}].map((none) => eventMatches({ a: 1 }, none))).toEqual([false, false, false]);
  expect([null, undefined, {}].map((none) => eventMatches({}, none))).toEqual([true, true, true]);
});

test('lists in lists take no time, by however many ways a path leads through them', async () => {
  let nested: unknown = 'found';
  for (let depth = 0; depth < 30; depth++) nested = [{ 0: nested }];
  const work = (): void => {
    for (const steps of [30, 45, 60]) expect(eventMatches({ [`a${'.0'.repeat(steps)}`]: 'found' }, { a: nested })).toBe(true);
    expect(eventMatches({ [`a${'.0'.repeat(61)}`]: 'found' }, { a: nested })).toBe(false);
    expect(eventMatches({ [`a.b${'.c'.repeat(500_000)}`]: 1 }, { a: Array.from({ length: 8_000 }, () => ({ b: 1 })) })).toBe(false);
  };
  expect(await excess(work)).toBe(0);
});
