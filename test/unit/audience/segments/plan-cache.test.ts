import { PlanCache } from '../../../../src/audience/segments/load-plan';
import { SegmentPlan, hearing, planned } from '../../../../src/audience/segments/plan';

const CONDITIONS = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'exists' }] }] };

const planOf = (bytes: number): SegmentPlan =>
  new SegmentPlan([hearing(planned({ _id: 'seg_a', revision: 1, conditions: CONDITIONS }), bytes)]);

/** A cache of 100,000 bytes, of projects whose plans are as long as their names say. */
function aCache() {
  const load = jest.fn((projectId: string, _earlier?: SegmentPlan) => Promise.resolve(planOf(Number(projectId.split(' ')[1]))));
  return { cache: new PlanCache(load, 100_000), load, asked: () => load.mock.calls.map(([projectId]) => projectId) };
}

test('the plans that were asked for last are kept within the bound, whatever their number', async () => {
  const { cache, asked } = aCache();
  for (const project of ['a 40000', 'b 40000', 'a 40000', 'c 40000', 'a 40000', 'c 40000', 'b 40000']) await cache.at(project, 1);
  expect(asked()).toEqual(['a 40000', 'b 40000', 'c 40000', 'b 40000']);
});

test('a short plan counts too', async () => {
  const { cache, asked } = aCache();
  for (let n = 0; n < 60; n++) await cache.at(`${n} 1`, 1);
  await cache.at('59 1', 1);
  expect(asked()).toHaveLength(60);
  await cache.at('0 1', 1);
  expect(asked()).toHaveLength(61);
});

test('one that is longer than the bound is kept alone', async () => {
  const { cache, asked } = aCache();
  for (const project of ['a 40000', 'b 500000', 'b 500000', 'a 40000']) await cache.at(project, 1);
  expect(asked()).toEqual(['a 40000', 'b 500000', 'a 40000']);
});

test('many that ask at once share a load; an older version does for none that asks for a newer one', async () => {
  const { cache, load } = aCache();
  const [first, second] = await Promise.all([cache.at('a 1', 1), cache.at('a 1', 1)]);
  expect(second).toBe(first);
  expect(await cache.at('a 1', 1)).toBe(first);
  const [newer, older, newest] = await Promise.all([cache.at('a 1', 2), cache.at('a 1', 1), cache.at('a 1', 3)]);
  expect(older).toBe(first);
  expect(load.mock.calls).toEqual([
    ['a 1', undefined],
    ['a 1', first],
    ['a 1', newer],
  ]);
  expect(await cache.at('a 1', 2)).toBe(newest);
});

test('a failure is of those who asked, and what was known before it is there for the next', async () => {
  const { cache, load } = aCache();
  const first = await cache.at('a 1', 1);
  load.mockRejectedValueOnce(new Error('away'));
  await expect(cache.at('a 1', 2)).rejects.toThrow('away');
  expect(await cache.at('a 1', 1)).toBe(first);
  await cache.at('a 1', 2);
  expect(load.mock.calls.at(-1)).toEqual(['a 1', first]);
});
