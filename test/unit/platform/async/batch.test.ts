import { batched, collected } from '../../../../src/platform/async/batch';

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

test('a write that fails is reported, and the next one is made', async () => {
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

describe('questions that are asked together', () => {
  /** A look-up whose calls end when they are let go. */
  function lookup() {
    const calls: { readonly keys: readonly number[]; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
    const ask = batched<number, string>(
      (keys) =>
        new Promise((resolve, reject) =>
          calls.push({ keys, end: () => resolve(new Map(keys.map((key) => [key, `answer ${key}`]))), fail: reject }),
        ),
    );
    return { calls, ask, keys: () => calls.map((call) => call.keys) };
  }
  const iteration = () => jest.advanceTimersByTimeAsync(1);

  test('look-ups of one iteration are one call, and look-ups that come while it is under way are the next', async () => {
    const { calls, ask, keys } = lookup();
    const first = [ask(1), ask(2), ask(1)];
    await iteration();
    const later = [ask(2), ask(3)];
    await iteration();
    later.push(ask(4));
    expect(keys()).toEqual([[1, 2]]);
    calls[0]?.end();
    expect(await Promise.all(first)).toEqual(['answer 1', 'answer 2', 'answer 1']);
    await iteration();
    expect(keys()).toEqual([
      [1, 2],
      [2, 3, 4],
    ]);
    calls[1]?.end();
    expect(await Promise.all(later)).toEqual(['answer 2', 'answer 3', 'answer 4']);
  });

  test('a call that does not come back holds the next one up for a moment only', async () => {
    const { calls, ask, keys } = lookup();
    void ask(1);
    await iteration();
    const second = ask(2);
    await jest.advanceTimersByTimeAsync(25);
    expect(keys()).toEqual([[1], [2]]);
    calls[1]?.end();
    expect(await second).toBe('answer 2');
  });

  test('a failure is of those that asked, and the next call is made', async () => {
    const { calls, ask, keys } = lookup();
    const failing = ask(1).catch((error: Error) => error.message);
    await iteration();
    const next = ask(2);
    calls[0]?.fail(new Error('away'));
    expect(await failing).toBe('away');
    await iteration();
    calls[1]?.end();
    expect(await next).toBe('answer 2');
    expect(keys()).toEqual([[1], [2]]);
  });
});
