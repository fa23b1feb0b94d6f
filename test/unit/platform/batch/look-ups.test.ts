import { batched } from '../../../../src/platform/batch';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
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
