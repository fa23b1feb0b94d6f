import { evaluate } from '../../../src/rules/conditions/evaluate';
import type { Facts, JudgedContact } from '../../../src/rules/conditions/evaluate';
import { factsNeeded } from '../../../src/rules/conditions/inventory';
import { occurrenceKey } from '../../../src/rules/conditions/types';
import type { Tree } from '../../../src/rules/conditions/types';
import { only } from '../../support/data/conditions';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const DAY_MS = 86_400_000;

const ADA: JudgedContact = {
  email: 'ada@example.com',
  firstName: null,
  lastName: null,
  locale: null,
  timezone: null,
  subscribed: true,
  data: null,
  createdAt: NOW,
  updatedAt: NOW,
};
const NO_FACTS: Facts = { occurrences: new Map(), memberOf: new Set() };
const matches = (tree: Tree, facts: Facts): boolean => evaluate(tree, ADA, facts, NOW);

/** For a contact that did it never, 8 days ago, and a day ago. */
test.each([
  ['triggered', undefined, {}, [false, true, true]],
  ['notTriggered', undefined, {}, [true, false, false]],
  ['triggeredWithin', 7, { unit: 'days' }, [false, false, true]],
  ['notTriggeredWithin', 7, { unit: 'days' }, [true, true, false]],
  ['triggeredOlderThan', 7, { unit: 'days' }, [false, true, false]],
  ['countAtLeast', 2, {}, [false, true, true]],
  ['countLessThan', 2, {}, [true, false, false]],
  ['countAtLeast', 2, { within: 7, unit: 'days' }, [false, false, true]],
  ['countLessThan', 2, { within: 7, unit: 'days' }, [true, true, false]],
])('an event condition: %s %d %j', (operator, value, rest, expected) => {
  for (const field of ['event.signup', 'email.clicked']) {
    const tree = only(field, operator, value, rest);
    const { events, emails } = factsNeeded(tree);
    const [occurrence] = [...events, ...emails];
    const factsAt = (days: number | null): Facts => ({
      ...NO_FACTS,
      occurrences: new Map(occurrence && days !== null ? [[occurrenceKey(occurrence), new Date(NOW.getTime() - days * DAY_MS)]] : []),
    });
    expect([null, 8, 1].map((days) => matches(tree, factsAt(days)))).toEqual(expected);
  }
});

test('an occurrence exactly at the edge of a window is within it', () => {
  const tree = only('event.signup', 'triggeredWithin', 7, { unit: 'days' });
  const at = (ms: number): Facts => ({
    ...NO_FACTS,
    occurrences: new Map([['event:1:signup', new Date(NOW.getTime() - 7 * DAY_MS + ms)]]),
  });
  expect([matches(tree, at(0)), matches(tree, at(-1))]).toEqual([true, false]);
  const older = only('event.signup', 'triggeredOlderThan', 7, { unit: 'days' });
  expect([matches(older, at(0)), matches(older, at(-1))]).toEqual([false, true]);
});

test('a campaign narrows e-mails: one is not taken for another, nor for all', () => {
  const facts: Facts = { ...NO_FACTS, occurrences: new Map([['email:1:opened:cmp_1', NOW]]) };
  const opened = (rest: object): boolean => matches(only('email.opened', 'triggered', undefined, rest), facts);
  expect([opened({ campaignId: 'cmp_1' }), opened({ campaignId: 'cmp_2' }), opened({})]).toEqual([true, false, false]);
});

test.each([
  ['memberOf', true],
  ['notMemberOf', false],
])('a segment condition: %s', (operator, expected) => {
  const member: Facts = { ...NO_FACTS, memberOf: new Set(['seg_1']) };
  expect(matches(only('segment.seg_1', operator), member)).toBe(expected);
  expect(matches(only('segment.seg_2', operator), member)).toBe(!expected);
});
