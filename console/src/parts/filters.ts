import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

const TYPING_MS = 300;

/** Returns the filters of a list. They are part of the address, so that a reload keeps them and a link can be sent to a colleague. */
export function useFilters<N extends string>(names: readonly N[]) {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<N, string>;
  const setFilter = (name: N, value: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return { filters, setFilter, isFiltered: names.some((name) => filters[name] !== '') };
}

/** Returns the typed text, and applies it a moment after the last key. When a link or the history changes the filter, the text follows at once. */
export function useTyped(filter: string, apply: (value: string) => void): readonly [string, (value: string) => void] {
  const [typed, setTyped] = useState(filter);
  const timer = useRef<number>(undefined);
  // As of the last rendering: another filter may have been chosen since the last key.
  const latest = useRef(apply);
  const applied = useRef(filter);
  useEffect(() => {
    latest.current = apply;
  });
  const type = (value: string): void => {
    setTyped(value);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      applied.current = value.trim();
      latest.current(applied.current);
    }, TYPING_MS);
  };
  useEffect(() => {
    if (filter === applied.current) return;
    clearTimeout(timer.current);
    applied.current = filter;
    setTyped(filter);
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [typed, type];
}

/** Returns the filters that are set, as a query takes them. */
export const given = <T extends object>(filters: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '' && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
