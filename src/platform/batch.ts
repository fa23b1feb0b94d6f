/*
 * Batches: many pieces of work, few commands.
 *
 * A room says what is one piece, what may not be committed at the same time, and how a batch is committed:
 *
 *   new Batcher(commitGroup, { keys: ({ ctx }) => [ctx.projectId], most: 2_000, size: ({ units }) => units })
 *
 * `add` resolves to what `commit` of the item's batch resolves to, so a caller that awaits it knows that its item is committed. A batch takes what comes for
 * `waitMs`, or in one iteration of the event loop, and while the batch before it is committed: the slower the database, the larger the
 * batches. With `gatherMs`, it also waits for items that a busy process is about to add.
 * `batched` is the same for reads: a lookup of many becomes a lookup of one. `Sequence` is what batches of one key wait in, for work that is not batched.
 *
 * | killed                         | found               | happens                                                                              |
 * |--------------------------------|---------------------|--------------------------------------------------------------------------------------|
 * | before `commit`                | nothing of a batch  | callers have no answer and ask again; what nobody awaits is lost, as its room says   |
 * | while `commit` runs            | what `commit` wrote | the same: a commit that must be whole is a transaction                               |
 * | after it, before an answer     | the whole batch     | callers ask again, and find that it is done                                          |
 *
 * One that is awaited by nobody has a `commit` that does not reject. An instance belongs to a Core (`perCore`) or to the database (`perDatabase`).
 */

import { performance as loop } from 'node:perf_hooks';
import { outsideRequests } from './core';
import { pause, unlessLate } from './async';

/** Runs work that has a key in common one after another, and all else at the same time. */
export class Sequence {
  /** The last work of each key that is under way. */
  private readonly last = new Map<string, Promise<void>>();

  /** Runs `work` once all that came before it for one of its keys has ended, well or not. Keys are taken in their order: name the most contended first. */
  async run<T>([key, ...others]: readonly string[], work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const done = (this.last.get(key) ?? Promise.resolve()).then(() => this.run(others, work));
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.last.set(key, ended);
    try {
      return await done;
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key);
    }
  }
}

interface Batching<Item> {
  /** Items with other keys are in other batches. One batch of a key is committed after another, in the order of `sequence`. By default, all have one key. */
  readonly keys?: (item: Item) => readonly string[];
  /** The sequence in which batches with the same keys run. Give one to share keys with other work. By default, the batcher has its own. */
  readonly sequence?: Pick<Sequence, 'run'>;
  /** The most that a batch holds, by `size`; an item that is larger goes alone. By default, a batch holds what comes. */
  readonly most?: number;
  /** 1 by default. */
  readonly size?: (item: Item) => number;
  /** The time that the first item of a batch waits for others, in milliseconds. By default, the rest of the iteration of the event loop. */
  readonly waitMs?: number;
  /**
   * The longest wait for more items of a batch whose turn it is, in milliseconds. It waits only if the last batch of its key held several items, and while items of
   * the key are being made or the process is busy. By default, it does not wait. A flush does not end this wait.
   */
  readonly gatherMs?: number;
}

interface Making {
  count: number;
  lastBegan: number;
}

interface Batch<Item, Answer> {
  readonly items: Set<Item>;
  size: number;
  /** Ends the wait for more. */
  readonly hurry: () => void;
  readonly answer: Promise<Answer>;
}

/**
 * Turns many pieces of work into few: what comes within a moment, or while the batch before it is committed, is one batch. A commit starts after all of its
 * items were added, so what it reads is never older than its items. A failure is everyone's whose item was in the batch; nothing is tried again.
 *
 * Batches are in the memory of a process: what must survive it is written before, or is awaited by a caller that tries again.
 */
export class Batcher<Item, Answer = void> {
  private readonly open = new Map<string, Batch<Item, Answer>>();
  private readonly underWay = new Set<Batch<Item, Answer>>();
  /** The keys whose last batch held several items. */
  private readonly crowded = new Set<string>();
  /** The items of each key that are being made. */
  private readonly making = new Map<string, Making>();
  private readonly sequence: Pick<Sequence, 'run'>;

  /** `commit` does the work of a batch. An item that was given several times is in it once. */
  constructor(
    private readonly commit: (items: readonly Item[]) => Promise<Answer>,
    private readonly batching: Batching<Item> = {},
  ) {
    this.sequence = batching.sequence ?? new Sequence();
  }

  /** Adds an item. Resolves to what `commit` of its batch resolves to. */
  add(item: Item): Promise<Answer> {
    const { keys, most = Infinity, size } = this.batching;
    const own = keys?.(item) ?? ONE_KEY;
    const key = own.length === 1 ? (own[0] as string) : own.join(' ');
    const more = size?.(item) ?? 1;
    let batch = this.open.get(key);
    if (!batch || batch.size + more > most) batch = this.begin(key, own);
    batch.items.add(item);
    batch.size += more;
    return batch.answer;
  }

  /** Runs the work that makes an item with this one key. A batch of the key waits up to `gatherMs` for it. The caller then adds the item. */
  async make<T>(key: string, work: () => Promise<T>): Promise<T> {
    const making = this.making.get(key) ?? { count: 0, lastBegan: 0 };
    this.making.set(key, making);
    making.count += 1;
    making.lastBegan = performance.now();
    try {
      return await work();
    } finally {
      making.count -= 1;
      if (making.count === 0) this.making.delete(key);
    }
  }

  /** Adds items. Resolves when they are committed. */
  async addAll(items: readonly Item[]): Promise<void> {
    const answers = new Set<Promise<Answer>>();
    for (const item of items) answers.add(this.add(item));
    await Promise.all(answers);
  }

  /** Begins what waits for others now. Resolves when all that was added is committed, or could not be. */
  async flush(): Promise<void> {
    const batches = [...this.underWay];
    for (const { hurry } of batches) hurry();
    await Promise.allSettled(batches.map(({ answer }) => answer));
  }

  private begin(key: string, keys: readonly string[]): Batch<Item, Answer> {
    const items = new Set<Item>();
    const { over, hurry } = wait(this.batching.waitMs);
    const answer = over
      .then(() =>
        this.sequence.run(keys, async () => {
          if (this.batching.gatherMs) await this.gather(key, batch, this.batching.gatherMs);
          if (this.open.get(key) === batch) this.open.delete(key);
          return outsideRequests(() => this.commit([...items]));
        }),
      )
      .finally(() => this.underWay.delete(batch));
    const batch: Batch<Item, Answer> = { items, size: 0, hurry, answer };
    this.open.set(key, batch);
    this.underWay.add(batch);
    return batch;
  }

  /** Waits for items that are about to join a batch whose turn it is. */
  private async gather(key: string, batch: Batch<Item, Answer>, gatherMs: number): Promise<void> {
    const { most = Infinity } = this.batching;
    const takesMore = (): boolean => batch.size < most && this.open.get(key) === batch;
    // Ignores an item that takes longer to make than a batch may wait.
    const isMade = (): boolean => performance.now() - (this.making.get(key)?.lastBegan ?? -Infinity) < gatherMs;
    if (this.crowded.has(key)) await whileBusy(gatherMs, takesMore, isMade);
    if (batch.items.size > 1) this.crowded.add(key);
    else this.crowded.delete(key);
  }
}

const ONE_KEY = [''];

function wait(ms: number | undefined): { readonly over: Promise<void>; readonly hurry: () => void } {
  if (ms === undefined) return { over: iteration(), hurry: () => undefined };
  let hurry = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  return { over, hurry };
}

/** The event loop is idle if it had nothing to do for most of a look. */
const [LOOK_MS, IDLE_MS] = [1, 0.8];

/** Waits up to `limitMs` while a batch takes more items, and while the process is busy or an item is being made. */
async function whileBusy(limitMs: number, takesMore: () => boolean, isMade: () => boolean): Promise<void> {
  const until = performance.now() + limitMs;
  let isIdle = false;
  while (!isIdle && takesMore() && performance.now() < until) {
    const before = loop.eventLoopUtilization().idle;
    await pause(LOOK_MS);
    isIdle = !isMade() && loop.eventLoopUtilization().idle - before >= IDLE_MS;
  }
}

const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A lookup that does not come back holds the one after it up no longer. */
const PATIENCE_MS = 20;

/**
 * Turns a lookup of many into a lookup of one: what is asked while a call is under way, and in the iteration of the event loop after it, goes in the next
 * call. A call starts after the questions it answers, so no answer is older than its question. A failure is everyone's.
 */
export function batched<K, V>(load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | undefined> {
  const calls = new Batcher(load, { sequence: new PatientSequence() });
  return async (key) => (await calls.add(key)).get(key);
}

/** Runs lookups one after another, as long as each ends soon. Who asks again because of an answer is in the next one. */
class PatientSequence {
  private last: Promise<void> | null = null;

  async run<T>(_keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = this.last;
    const done = before ? iterationAfter(before).then(work) : work();
    const ended = done.then(
      () => undefined,
      () => undefined,
    );
    this.last = ended;
    try {
      return await done;
    } finally {
      if (this.last === ended) this.last = null;
    }
  }
}

async function iterationAfter(work: Promise<void>): Promise<void> {
  await unlessLate(PATIENCE_MS, work, () => undefined);
  await iteration();
}
