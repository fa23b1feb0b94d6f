import { useEffect } from 'react';

interface Deeds {
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  readonly remove: () => void;
}

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

// The code editor has an undo of its own; windows over the page are not the graph.
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('.cm-editor, [role="dialog"]') !== null;

/** Returns whether a key is pressed outside of fields, editors and windows: it is for the graph. */
export const isOnGraph = (target: EventTarget | null): boolean => !isElsewhere(target) && !isWritten(target);

type Chords = Readonly<Partial<Record<string, () => void>>>;

const nothing = (): void => undefined;

const chordOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string =>
  [(ctrlKey || metaKey) && 'ctrl', altKey && 'alt', shiftKey && 'shift', key.toLowerCase()].filter(Boolean).join(' ');

/**
 * Handles the keys of the editor: Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) everywhere, as the browser's own undo would empty one field;
 * Delete outside of fields.
 */
export function useShortcuts({ undo, redo, remove }: Deeds): void {
  useEffect(() => {
    const everywhere: Chords = { 'ctrl z': undo ?? nothing, 'ctrl shift z': redo ?? nothing, 'ctrl y': redo ?? nothing };
    const onGraph: Chords = { delete: remove };
    const pressed = (event: KeyboardEvent): void => {
      if (isElsewhere(event.target)) return;
      const chord = chordOf(event);
      // A key that is held does it once: the next step is selected after a removal.
      const deed = everywhere[chord] ?? (isOnGraph(event.target) && !event.repeat ? onGraph[chord] : undefined);
      if (!deed) return;
      event.preventDefault();
      deed();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [undo, redo, remove]);
}
