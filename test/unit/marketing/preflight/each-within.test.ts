import { eachWithin } from '../../../../src/marketing/preflight/each-within';

test('no work begins after the time is over, and what runs then is awaited', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const done: number[] = [];
  await eachWithin([1, 2, 3, 4, 5, 6, 7], 1_000, async (each) => {
    await Promise.resolve();
    clock.mockReturnValue(1_000);
    done.push(each);
  });
  clock.mockRestore();
  expect(done).toEqual([1, 2, 3, 4, 5]);
});
