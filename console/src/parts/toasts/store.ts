import { useId, useLayoutEffect, useSyncExternalStore } from 'react';

/** A notification after something was done. */
export interface Toast {
  readonly text: string;
  /** Takes back what was done, exactly; absent where that is impossible. */
  readonly undo?: (() => Promise<unknown>) | undefined;
  /** Link to the result. */
  readonly link?: { readonly label: string; readonly to: string } | undefined;
}

export interface Shown extends Toast {
  readonly id: number;
}

/** Toasts at once; an older one makes room. */
const MOST = 3;

const NONE: readonly Shown[] = [];

let shown = NONE;
/** Places where toasts can be shown: on the page, and in each open window, of which the last one is on top. */
let places: readonly string[] = [];
let last = 0;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

function show(next: readonly Shown[]): void {
  shown = next;
  tell();
}

function setPlaces(next: readonly string[]): void {
  places = next;
  tell();
}

/** Says what was done, in a toast. */
export function say(toast: Toast | string): void {
  last += 1;
  const { text, undo, link } = typeof toast === 'string' ? { text: toast } : toast;
  show([...shown.slice(1 - MOST), { id: last, text, undo, link }]);
}

/** Removes a toast; all of them without an id. */
export const dismiss = (id?: number): void => show(id === undefined ? [] : shown.filter((each) => each.id !== id));

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the toasts that are shown in this place, the oldest one first: all on top, because what is behind a window cannot be reached. */
export function useToasts(): readonly Shown[] {
  const place = useId();
  useLayoutEffect(() => {
    setPlaces([...places, place]);
    return () => setPlaces(places.filter((each) => each !== place));
  }, [place]);
  return useSyncExternalStore(listen, () => (places.at(-1) === place ? shown : NONE));
}

/** The toast of a form or a button: the same each time, or made from the result; null for none. */
export type Said<T> = Toast | string | ((result: T) => Toast | string | null);

/** Says what a deed leads to. */
export function sayOf<T>(said: Said<T> | undefined, result: T): void {
  const toast = typeof said === 'function' ? said(result) : said;
  if (toast) say(toast);
}
