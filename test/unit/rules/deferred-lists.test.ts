import type { DeferredList } from '../../../src/contracts/waiting-mail';
import { deferredListOf, deferredMailId } from '../../../src/contracts/waiting-mail';
import { listsToTell } from '../../../src/rules/deferred-lists';
import type { Deferred } from '../../../src/rules/deferred-lists';

const RULES = { size: 3, toleranceMs: 100 };
const list = (number: number, ids: string, firstAt: number | null = 1_000, projectId = 'p'): DeferredList => ({
  projectId,
  list: number,
  emailIds: [...ids],
  firstAt,
});
const waiting = (ids: string, dueAt: number | null = 1_000, projectId = 'p'): Deferred[] =>
  [...ids].map((emailId) => ({ emailId, projectId, dueAt }));

test.each<[string, DeferredList[], Deferred[], DeferredList[]]>([
  ['nothing waits', [], [], []],
  ['the first ones make lists', [], waiting('abcd'), [list(1, 'abc'), list(2, 'd')]],
  ['each project has lists of its own', [], [...waiting('a'), ...waiting('b', 500, 'q')], [list(1, 'a'), list(1, 'b', 500, 'q')]],
  ['what is as it was is not told', [list(1, 'abc')], waiting('cba'), []],
  ['a new one fills a list that has room', [list(1, 'abc'), list(2, 'd')], waiting('abcde'), [list(2, 'de')]],
  ['a new one takes the place of one that has left', [list(1, 'abc'), list(2, 'd')], waiting('acde'), [list(1, 'ace')]],
  ['the number of a list that has ended is free', [list(2, 'abc')], waiting('abcd'), [list(1, 'd')]],
  ['a list of which none waits is empty', [list(1, 'abc'), list(2, 'd')], waiting('abc'), [list(2, '', 1_000)]],
  ['one that is under way stays', [list(1, 'abc')], [...waiting('ab', 5_000), ...waiting('c', null)], [list(1, 'abc', 5_000)]],
  ['while all are under way the list stays as it is', [list(1, 'ab')], waiting('ab', null), []],
  ['one that two lists name stays in the first', [list(1, 'ab'), list(2, 'bc')], waiting('abc'), [list(2, 'c')]],
  ['a little later is not told', [list(1, 'ab')], waiting('ab', 1_100), []],
  ['much later is', [list(1, 'ab')], waiting('ab', 1_101), [list(1, 'ab', 1_101)]],
  ['a list that says no instant is told it', [list(1, 'ab', null)], waiting('ab'), [list(1, 'ab')]],
  ['an id is of its project alone', [list(1, 'ab', 1_000, 'q')], waiting('ab'), [list(1, '', 1_000, 'q'), list(1, 'ab')]],
])('%s', (_what, shown, deferred, told) => {
  expect(listsToTell(shown, deferred, RULES)).toEqual(told);
});

test('ten thousand fill as few lists as they can, and a late one is in one of them', () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => ({ emailId: `em_${n}`, projectId: 'p', dueAt: n }));
  const lists = listsToTell([], ids, { size: 60, toleranceMs: 100 });
  expect(lists).toHaveLength(167);
  expect(lists.at(-1)?.emailIds).toContain('em_9999');
  expect(listsToTell(lists, ids, { size: 60, toleranceMs: 100 })).toEqual([]);
});

test('the id of a workflow names its list', () => {
  expect(deferredListOf(deferredMailId({ projectId: 'prj_1', list: 12 }))).toEqual({ projectId: 'prj_1', list: 12 });
  for (const other of ['delivery/1', 'deferred/prj_1', 'deferred/prj_1/x', 'deferred/prj_1/1/2']) expect(deferredListOf(other)).toBeNull();
});
