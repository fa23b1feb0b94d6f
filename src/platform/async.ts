import { LRUCache } from 'lru-cache';
import type { Logger } from './log';
import { AppError } from './core';
import type { Core } from './core';

/** The runs of a process, which end together when it stops. */
export class Runs {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();

  /** Begins a run, which is asked to end when `signal` aborts or the process stops. */
  async follow<T>(signal: AbortSignal, begin: (ending: AbortSignal) => Promise<T>): Promise<T> {
    const run = begin(AbortSignal.any([signal, this.stopping.signal]));
    this.running.add(run);
    try {
      return await run;
    } finally {
      this.running.delete(run);
    }
  }

  /** Aborts all runs; resolves when they have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running);
  }
}

/** Splits rows, in their order, into chunks of `size`; the last may be shorter. */
export const chunks = <T>(rows: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));

interface Lanes {
  readonly atOnce: number;
  /** Ends the work early: nothing begins once it returns true. */
  readonly isOver?: () => boolean;
}

/** Works on items in their order, `atOnce` at the same time. Begins the next one when one is done. Rejects with the first failure. */
export async function inLanes<T>(
  items: Iterable<T>,
  { atOnce, isOver = () => false }: Lanes,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const left = [...items].values();
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (isOver()) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Works on all items in their order, `atOnce` together. Rejects with the first failure, once the others have been tried as well. */
export async function eachSettled<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await inLanes(items, { atOnce }, async (item) => {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}

const KEPT_ANSWERS = 10_000;

/** Answers to questions that have one answer each, the last ones: each is asked once, but for what failed. */
export class AskedOnce<T> {
  private readonly answers = new LRUCache<string, Promise<T>>({ max: KEPT_ANSWERS });

  /** Resolves to the answer that is known or being asked for under a key, or to what `ask` resolves to. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known) return known;
    const asked = ask();
    this.answers.set(key, asked);
    asked.catch(() => this.answers.delete(key));
    return asked;
  }
}

/** Long work yields to the event loop after this many milliseconds. */
const HOLD_MS = 25;

/** Returns a function that yields to the event loop once work has held it for long; null while it has not. */
export function yielder(): () => Promise<void> | null {
  let since = performance.now();
  const yieldNow = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
  return () => (performance.now() - since < HOLD_MS ? null : yieldNow());
}

const RETRY_MS = [50, 200, 500, 1_000];

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tries until it succeeds: what was sent outlives an outage of the database. Logs each failure as `trouble`. */
export async function untilDone<T>({ log }: { readonly log: Logger }, trouble: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await answer(work);
    } catch (error) {
      log.warn({ err: error, tries }, trouble);
      await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 1_000);
    }
  }
}

/** Resolves to what `work` does, or to what `late` returns when that takes longer than `limitMs`. The work itself continues, and its result is dropped. */
export async function unlessLate<T, L>(limitMs: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Fails with `unavailable` when `work` takes longer than `limitMs`. The MongoDB driver can wait forever on a socket that closed between its
 * checkout and the write, so a caller that must not hang limits its wait.
 */
export const withinLimit = async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => unlessLate(limitMs, work(), tooLate);

function tooLate(): never {
  throw new AppError('unavailable', 'The request took too long; try again', [], { headers: { 'Retry-After': '2' } });
}

const ANSWER_MS = 20_000;

/** Waits for the database as long as a run may, and rejects then: the run ends, and its workflow tries again. */
export const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(ANSWER_MS, work);

/** Work after a commit ends long before this; work that does not is stuck. */
const AFTERWARDS_MS = 10_000;

/**
 * Does work after a commit that a workflow or a sweep would do in any case. A failure is only logged: the caller's answer says that what
 * was committed is done, and does not ask for it again.
 */
export async function afterwards({ log }: Pick<Core, 'log'>, left: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await withinLimit(AFTERWARDS_MS, work);
  } catch (error) {
    log.warn({ err: error }, left);
  }
}
