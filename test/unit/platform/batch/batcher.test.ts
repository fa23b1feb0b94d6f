import { performance as loop } from 'node:perf_hooks';
import { Batcher, Sequence } from '../../../../src/platform/batch';

/** Commits that are noted; each ends when it is let go, or at once. */
function noted(batching: ConstructorParameters<typeof Batcher<number, string>>[1] = {}, held = false) {
  const commits: { readonly items: readonly number[]; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const batcher = new Batcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const end = () => resolve(`batch of ${items.length}`);
        commits.push({ items, end, fail: reject });
        if (!held) end();
      }),
    batching,
  );
  return { batcher, commits, items: () => commits.map((commit) => commit.items) };
}

const range = (length: number, from = 0) => Array.from({ length }, (_, n) => from + n);
const iterations = () => jest.advanceTimersByTimeAsync(1);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('what comes in an iteration is one batch, and what comes while it is committed is the next', async () => {
  const { batcher, commits, items } = noted({}, true);
  const first = batcher.add(1);
  void batcher.add(2);
  await iterations();
  const second = batcher.add(3);
  await iterations();
  void batcher.add(4);
  expect(items()).toEqual([[1, 2]]);
  commits[0]?.end();
  expect(await first).toBe('batch of 2');
  await iterations();
  commits[1]?.end();
  expect(await second).toBe('batch of 2');
  expect(items()).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('an item that is given several times is in its batch once', async () => {
  const { batcher, items } = noted();
  await Promise.all([batcher.add(1), batcher.add(1), batcher.addAll([1, 2]), iterations()]);
  expect(items()).toEqual([[1, 2]]);
});

test('no items are no batch', async () => {
  const { batcher, items } = noted();
  await batcher.addAll([]);
  await batcher.flush();
  expect(items()).toEqual([]);
});

test('the first item of a batch waits as long as it is told', async () => {
  const { batcher, items } = noted({ waitMs: 200 });
  void batcher.add(1);
  await jest.advanceTimersByTimeAsync(199);
  void batcher.add(2);
  expect(items()).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  void batcher.add(3);
  await jest.advanceTimersByTimeAsync(199);
  expect(items()).toEqual([[1, 2]]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(items()).toEqual([[1, 2], [3]]);
});

test('a flush waits for what is committed, begins the rest, and leaves nothing for the timer', async () => {
  const { batcher, commits, items } = noted({ waitMs: 200 }, true);
  void batcher.add(1);
  const first = batcher.flush();
  await iterations();
  void batcher.add(2);
  let done = false;
  const second = batcher.flush().then(() => (done = true));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(items()).toEqual([[1]]);
  commits[0]?.end();
  await first;
  await iterations();
  expect([items(), done]).toEqual([[[1], [2]], false]);
  commits[1]?.end();
  await second;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(commits).toHaveLength(2);
});

test('a failure is of its batch, a flush does not fail with it, and the next batch is committed', async () => {
  const { batcher, commits, items } = noted({}, true);
  const failing = Promise.allSettled([batcher.add(1), batcher.add(2)]);
  await iterations();
  const next = batcher.add(3);
  commits[0]?.fail(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await iterations();
  commits[1]?.end();
  expect(await next).toBe('batch of 1');
  const flushed = batcher.add(4).catch((error: Error) => error.message);
  await iterations();
  const flush = batcher.flush();
  commits[2]?.fail(new Error('still away'));
  await flush;
  expect(await flushed).toBe('still away');
  expect(items()).toEqual([[1, 2], [3], [4]]);
});

test('batches of one key follow each other, and those of another do not wait for them', async () => {
  const { batcher, commits, items } = noted({ keys: (item) => [item % 2 === 0 ? 'even' : 'odd'] }, true);
  void batcher.add(1);
  await iterations();
  void batcher.add(3);
  void batcher.add(2);
  await iterations();
  expect(items()).toEqual([[1], [2]]);
  commits[0]?.end();
  await iterations();
  expect(items()).toEqual([[1], [2], [3]]);
});

test('a batch waits for what else has one of its keys, and takes what comes until then', async () => {
  const sequence = new Sequence();
  const { batcher, items } = noted({ sequence, keys: () => ['a', 'b'] });
  let release = (): void => undefined;
  void sequence.run(['b'], () => new Promise<void>((resolve) => (release = resolve)));
  void batcher.add(1);
  await iterations();
  void batcher.add(2);
  await iterations();
  expect(items()).toEqual([]);
  release();
  await iterations();
  expect(items()).toEqual([[1, 2]]);
});

test('a batch holds as much as it may, in the order of coming, and what is larger goes alone', async () => {
  const { batcher, items } = noted({ most: 10, size: (item) => item });
  for (const item of [4, 5, 2, 30, 1, 9]) void batcher.add(item);
  await iterations();
  expect(items()).toEqual([[4, 5], [2], [30], [1, 9]]);
});

test.each(range(20))('every item is committed once, in its order, in batches that fit, whatever comes when (%i)', async (seed) => {
  const random = dice(seed);
  const most = 1 + random(9);
  const batches: (readonly number[])[] = [];
  let running = 0;
  const batcher = new Batcher<number, number>(
    async (items) => {
      expect(++running).toBe(1);
      batches.push(items);
      await new Promise((resolve) => setTimeout(resolve, random(5)));
      running--;
      if (random(4) === 0) throw new Error('lost');
      return batches.length;
    },
    { most },
  );
  const answers: Promise<unknown>[] = [];
  for (const item of range(100)) {
    answers.push(batcher.add(item).catch(() => 0));
    if (random(3) === 0) await jest.advanceTimersByTimeAsync(random(4));
  }
  await Promise.all([batcher.flush(), jest.advanceTimersByTimeAsync(10_000)]);
  await Promise.all(answers);
  expect(batches.flat()).toEqual(range(100));
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(most);
});

/** Whole numbers below a limit, the same for each seed. */
function dice(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

describe('a batcher that gathers', () => {
  /** Simulates a busy process, until `rests` is called. */
  function aBusyProcess() {
    let idle = 0;
    let isBusy = true;
    const spy = jest
      .spyOn(loop, 'eventLoopUtilization')
      .mockImplementation(() => ({ idle: isBusy ? idle : (idle += 1), active: 0, utilization: 0 }));
    return { rests: () => (isBusy = false), end: () => spy.mockRestore() };
  }

  let machine: ReturnType<typeof aBusyProcess>;
  beforeEach(() => {
    machine = aBusyProcess();
  });
  afterEach(() => machine.end());

  /** Commits a batch of two. */
  async function afterTwo(batcher: Batcher<number, string>): Promise<void> {
    await Promise.all([batcher.addAll([1, 2]), iterations()]);
  }

  test('waits after a batch of several items while the process is busy, and takes the items that come', async () => {
    const { batcher, items } = noted({ gatherMs: 40 });
    await afterTwo(batcher);
    void batcher.add(3);
    await jest.advanceTimersByTimeAsync(20);
    void batcher.add(4);
    await jest.advanceTimersByTimeAsync(10);
    expect(items()).toEqual([[1, 2]]);
    machine.rests();
    await jest.advanceTimersByTimeAsync(2);
    expect(items()).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('waits up to `gatherMs`', async () => {
    const { batcher, items } = noted({ gatherMs: 40 });
    await afterTwo(batcher);
    void batcher.add(3);
    await jest.advanceTimersByTimeAsync(38);
    expect(items()).toEqual([[1, 2]]);
    await jest.advanceTimersByTimeAsync(5);
    expect(items()).toEqual([[1, 2], [3]]);
  });

  const byParity = { gatherMs: 40, keys: (item: number) => [item % 2 === 0 ? 'even' : 'odd'] };

  test('waits for an item of the same key that is being made', async () => {
    const { batcher, items } = noted(byParity);
    await Promise.all([batcher.addAll([1, 3]), iterations()]);
    machine.rests();
    const made = batcher.make('odd', () => new Promise<number>((resolve) => void setTimeout(resolve, 20, 7)));
    void made.then((item) => batcher.add(item));
    void batcher.add(5);
    await jest.advanceTimersByTimeAsync(10);
    expect(items()).toEqual([[1, 3]]);
    await jest.advanceTimersByTimeAsync(20);
    expect(items()).toEqual([
      [1, 3],
      [5, 7],
    ]);
  });

  test('does not wait for an item that takes longer to make than `gatherMs`', async () => {
    const { batcher, items } = noted({ gatherMs: 40 });
    await afterTwo(batcher);
    machine.rests();
    void batcher.make('', () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(40);
    void batcher.add(3);
    await jest.advanceTimersByTimeAsync(3);
    expect(items()).toEqual([[1, 2], [3]]);
  });

  test('does not wait for one key after a batch of another', async () => {
    const { batcher, items } = noted(byParity);
    await Promise.all([batcher.addAll([1, 3]), iterations()]);
    await Promise.all([batcher.add(2), iterations()]);
    expect(items()).toEqual([[1, 3], [2]]);
  });

  test('does not wait once a batch is full', async () => {
    const { batcher, items } = noted({ gatherMs: 40, most: 2 });
    await afterTwo(batcher);
    void batcher.addAll([3, 4]);
    await jest.advanceTimersByTimeAsync(2);
    expect(items()).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('does not wait after a single item', async () => {
    const { batcher, items } = noted({ gatherMs: 40 });
    await Promise.all([batcher.add(1), iterations()]);
    await Promise.all([batcher.add(2), iterations()]);
    expect(items()).toEqual([[1], [2]]);
  });
});
