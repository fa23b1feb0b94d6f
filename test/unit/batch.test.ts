import { collected } from '../../src/batch';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const collector = (write: (items: readonly number[]) => Promise<void>) => {
  const failures: unknown[] = [];
  return { failures, ...collected(write, 200, (error) => failures.push(error)) };
};

test('what comes within the time is one write', async () => {
  const writes: (readonly number[])[] = [];
  const { add } = collector((items) => Promise.resolve(void writes.push(items)));
  add([1]);
  add([]);
  await jest.advanceTimersByTimeAsync(199);
  add([2, 3]);
  expect(writes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  add([4]);
  await jest.advanceTimersByTimeAsync(200);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(writes).toEqual([[1, 2, 3], [4]]);
});

test('a flush writes at once, after what is being written, and leaves nothing for the timer', async () => {
  const writes: (readonly number[])[] = [];
  const releases: (() => void)[] = [];
  const { add, flush } = collector((items) => {
    writes.push(items);
    return new Promise((resolve) => releases.push(resolve));
  });
  add([1]);
  const first = flush();
  add([2]);
  let done = false;
  const second = flush().then(() => (done = true));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(writes).toEqual([[1]]);
  releases[0]?.();
  await first;
  await jest.advanceTimersByTimeAsync(0);
  expect(writes).toEqual([[1], [2]]);
  expect(done).toBe(false);
  releases[1]?.();
  await second;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(writes).toHaveLength(2);
});

test('a write that fails is told of, and the next one is made', async () => {
  const written: number[] = [];
  const { add, flush, failures } = collector((items) => {
    if (items.includes(1)) return Promise.reject(new Error('away'));
    written.push(...items);
    return Promise.resolve();
  });
  add([1]);
  await flush();
  add([2]);
  await flush();
  expect(failures).toEqual([new Error('away')]);
  expect(written).toEqual([2]);
});
