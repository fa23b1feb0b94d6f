import { inLanes } from '../../../../src/platform/async';

test('works on up to the given number of items at once, and begins the next when one is done', async () => {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const all = inLanes([1, 2, 3, 4], { atOnce: 2 }, (item) => {
    begun.push(item);
    return new Promise<void>((resolve) => ends.set(item, resolve));
  });
  const afterEnding = async (item: number) => {
    ends.get(item)?.();
    await new Promise((resolve) => setImmediate(resolve));
    return [...begun];
  };
  expect(begun).toEqual([1, 2]);
  expect(await afterEnding(2)).toEqual([1, 2, 3]);
  expect(await afterEnding(1)).toEqual([1, 2, 3, 4]);
  await afterEnding(3);
  await afterEnding(4);
  await all;
});

test('begins nothing once it is over, and waits for the work under way', async () => {
  let isOver = false;
  const done: number[] = [];
  await inLanes([1, 2, 3, 4, 5, 6, 7], { atOnce: 5, isOver: () => isOver }, async (item) => {
    await Promise.resolve();
    isOver = true;
    done.push(item);
  });
  expect(done).toEqual([1, 2, 3, 4, 5]);
});

test('rejects with the failure of an item', async () => {
  await expect(inLanes([1, 2], { atOnce: 1 }, (item) => Promise.reject(new Error(`item ${item}`)))).rejects.toThrow('item 1');
});
