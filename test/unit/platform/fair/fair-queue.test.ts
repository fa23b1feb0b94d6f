import { FairQueue } from '../../../../src/platform/fair/fair-queue';

/** Asks for places one after another, and notes who has got one, or was sent away. */
function asking(places: FairQueue) {
  const got: string[] = [];
  const leaves = new Map<string, () => void>();
  const nextTick = () => new Promise((resolve) => process.nextTick(resolve));
  return {
    got,
    ask: async (...names: readonly string[]) => {
      for (const name of names) {
        void places.take(name.charAt(0)).then((leave) => {
          got.push(leave ? name : `${name} away`);
          if (leave) leaves.set(name, leave);
        });
      }
      await nextTick();
    },
    leave: async (name: string) => {
      leaves.get(name)?.();
      await nextTick();
    },
  };
}

test('one key may have all places; a place that becomes free is for the key that has the fewest, and for the first of it', async () => {
  const { got, ask, leave } = asking(new FairQueue({ most: 3 }));
  await ask('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
  expect(got).toEqual(['a1', 'a2', 'a3']);
  await leave('a2');
  await leave('a1');
  expect(got.slice(3)).toEqual(['b1', 'c1']);
  await leave('a3');
  expect(got.slice(5)).toEqual(['a4']);
  await leave('a3');
  expect(got).toHaveLength(6);
});

test('spare places are for keys that have hardly any, whatever the others wait for', async () => {
  const { got, ask, leave } = asking(new FairQueue({ most: 2, spare: 3 }));
  await ask('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'd1');
  expect(got).toEqual(['a1', 'a2', 'b1', 'b2', 'c1']);
  await leave('c1');
  expect(got.slice(5)).toEqual(['d1']);
});

test('a key that is the only one for a while may have more, until another one asks', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  const { got, ask, leave } = asking(new FairQueue({ most: 2, alone: { most: 4, afterMs: 1_000 } }));
  await ask('a1', 'a2', 'a3');
  expect(got).toEqual(['a1', 'a2']);
  await jest.advanceTimersByTimeAsync(1_000);
  await leave('a1');
  await ask('a4', 'a5');
  expect(got.slice(2)).toEqual(['a3', 'a4', 'a5']);
  await ask('b1', 'a6');
  await leave('a2');
  await leave('a3');
  expect(got.slice(5)).toEqual([]);
  await leave('a4');
  expect(got.slice(5)).toEqual(['b1']);
  jest.useRealTimers();
});

test('what one key took while it was alone is not taken from the spare places', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  const { got, ask } = asking(new FairQueue({ most: 1, spare: 2, alone: { most: 4, afterMs: 1_000 } }));
  await ask('a1');
  await jest.advanceTimersByTimeAsync(1_000);
  await ask('a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'd1');
  expect(got).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
  jest.useRealTimers();
});

describe('when no place becomes free', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('those that wait are sent away one by one, the longest waiting first', async () => {
    const { got, ask, leave } = asking(new FairQueue({ most: 1, away: { stallMs: 100, patienceMs: 1_000 } }));
    await ask('a1', 'a2', 'b1', 'a3');
    await jest.advanceTimersByTimeAsync(99);
    expect(got).toEqual(['a1']);
    await jest.advanceTimersByTimeAsync(1);
    expect(got.slice(1)).toEqual(['a2 away']);
    await jest.advanceTimersByTimeAsync(90);
    await leave('a1');
    await jest.advanceTimersByTimeAsync(90);
    expect(got.slice(2)).toEqual(['b1']);
    await jest.advanceTimersByTimeAsync(10);
    expect(got.slice(3)).toEqual(['a3 away']);
    await ask('a4');
    await leave('b1');
    expect(got.slice(4)).toEqual(['a4']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('nor does anyone wait for long while places become free', async () => {
    const { got, ask, leave } = asking(new FairQueue({ most: 1, away: { stallMs: 100, patienceMs: 150 } }));
    await ask('a1', 'a2', 'a3', 'a4');
    await jest.advanceTimersByTimeAsync(90);
    await leave('a1');
    await jest.advanceTimersByTimeAsync(59);
    expect(got).toEqual(['a1', 'a2']);
    await jest.advanceTimersByTimeAsync(2);
    expect(got.slice(2)).toEqual(['a3 away', 'a4 away']);
  });
});

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'whoever asks when, no more have a place than may, each key is served in its order, and all are served (%i)',
  async (seed) => {
    const random = dice(seed);
    const [most, spare] = [1 + random(4), random(4)];
    const queue = new FairQueue({ most, spare });
    const served = new Map<string, number[]>();
    const inside: { readonly key: string; readonly leave: () => void }[] = [];
    let waiting = 0;
    const ask = (key: string, order: number): void => {
      waiting++;
      void queue.take(key).then((leave) => {
        waiting--;
        served.set(key, [...(served.get(key) ?? []), order]);
        inside.push({ key, leave: leave as () => void });
      });
    };
    const settle = () => new Promise((resolve) => process.nextTick(resolve));
    const check = (): void => {
      expect(inside.length).toBeLessThanOrEqual(most + spare);
      // Nobody waits beside a free place.
      expect(waiting === 0 || inside.length >= most).toBe(true);
    };
    for (let order = 0; order < 200; order++) {
      if (random(2) === 0) ask(`key ${random(5)}`, order);
      else inside.splice(random(inside.length + 1), 1)[0]?.leave();
      await settle();
      check();
    }
    while (inside.length > 0) {
      inside.shift()?.leave();
      await settle();
      check();
    }
    expect(waiting).toBe(0);
    for (const orders of served.values()) expect(orders).toEqual([...orders].sort((a, b) => a - b));
  },
);

/** Whole numbers below a limit, the same for each seed. */
function dice(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
