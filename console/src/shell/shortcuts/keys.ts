import { useEffect } from 'react';

const KEY = 'lettermill-shortcuts';

/** Returns whether single keys are shortcuts in this browser: they are until somebody switches them off. */
export const areKeysOn = (): boolean => localStorage.getItem(KEY) !== 'off';

/** Switches the single keys on or off, and keeps the choice in this browser. */
export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}

export const isMac = navigator.userAgent.includes('Mac');

/** Places where a key means something else. */
const TYPED_IN =
  'input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]:not([contenteditable="false"]), .cm-editor, .react-flow';

const isFree = (event: KeyboardEvent): boolean =>
  !(event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) &&
  document.querySelector('[role="dialog"]') === null &&
  !(event.target instanceof Element && event.target.closest(TYPED_IN));

type Keys = Readonly<Partial<Record<string, (event: KeyboardEvent) => void>>>;

/** Handles single keys by what they write, where nothing is typed, no window is open, and they are not switched off. Pass constant keys. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = keys[event.key];
      if (!act || !areKeysOn() || !isFree(event)) return;
      event.preventDefault();
      act(event);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [keys]);
}
