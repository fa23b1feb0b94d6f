import { useCallback, useState } from 'react';

/** Changes of the same key within this time are one, as the letters of a word. */
const ONE_CHANGE_MS = 1_000;
const MOST_STEPS = 200;

interface Kept<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  readonly key: string | null;
  readonly at: number;
}

interface History<T> {
  readonly now: T;
  /** Changes the value. Changes with the same key in quick succession are undone together. */
  readonly put: (change: (now: T) => T, key?: string) => void;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
}

function changed<T>(kept: Kept<T>, change: (now: T) => T, key: string | null, at: number): Kept<T> {
  const now = change(kept.now);
  if (now === kept.now) return kept;
  const isSame = key !== null && key === kept.key && at - kept.at < ONE_CHANGE_MS;
  return { past: isSame ? kept.past : [...kept.past, kept.now].slice(-MOST_STEPS), now, future: [], key, at };
}

function back<T>(kept: Kept<T>): Kept<T> {
  const before = kept.past.at(-1);
  if (before === undefined) return kept;
  return { past: kept.past.slice(0, -1), now: before, future: [kept.now, ...kept.future], key: null, at: 0 };
}

function forth<T>(kept: Kept<T>): Kept<T> {
  const [next, ...future] = kept.future;
  return next === undefined ? kept : { past: [...kept.past, kept.now], now: next, future, key: null, at: 0 };
}

/** Returns a value whose changes can be undone and redone. */
export function useHistory<T extends object>(first: () => T): History<T> {
  const [kept, set] = useState<Kept<T>>(() => ({ past: [], now: first(), future: [], key: null, at: 0 }));
  const put = useCallback((change: (now: T) => T, key?: string) => {
    const at = performance.now();
    set((before) => changed(before, change, key ?? null, at));
  }, []);
  return {
    now: kept.now,
    put,
    undo: kept.past.length === 0 ? null : () => set(back),
    redo: kept.future.length === 0 ? null : () => set(forth),
  };
}
