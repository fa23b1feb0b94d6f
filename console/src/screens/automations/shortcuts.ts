import { useEffect, useState } from 'react';
import type { GraphNode } from './graph/model.ts';

interface Deeds {
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  /** The selected node. */
  readonly node: GraphNode | null;
  readonly remove: () => void;
  readonly paste: (node: GraphNode) => void;
}

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

// The code editor has an undo of its own; windows over the page are not the graph.
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('.cm-editor, [role="dialog"]') !== null;

type Chords = Readonly<Partial<Record<string, () => void>>>;

const nothing = (): void => undefined;

const chordOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string =>
  [(ctrlKey || metaKey) && 'ctrl', altKey && 'alt', shiftKey && 'shift', key.toLowerCase()].filter(Boolean).join(' ');

/**
 * Handles the keys of the editor: Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) everywhere, as the browser's own undo would empty one field;
 * outside of fields Delete, and Ctrl+C and Ctrl+V for a step.
 */
export function useShortcuts({ undo, redo, node, remove, paste }: Deeds): void {
  const [copied, setCopied] = useState<GraphNode | null>(null);
  useEffect(() => {
    const isCopied = node !== null && node.type !== 'trigger' && getSelection()?.isCollapsed !== false;
    const everywhere: Chords = { 'ctrl z': undo ?? nothing, 'ctrl shift z': redo ?? nothing, 'ctrl y': redo ?? nothing };
    const onGraph: Chords = {
      delete: remove,
      ...(isCopied && { 'ctrl c': () => setCopied(node) }),
      ...(copied && { 'ctrl v': () => paste(copied) }),
    };
    const pressed = (event: KeyboardEvent): void => {
      if (isElsewhere(event.target)) return;
      const chord = chordOf(event);
      // A key that is held does it once: the next step is selected after a removal.
      const deed = everywhere[chord] ?? (isWritten(event.target) || event.repeat ? undefined : onGraph[chord]);
      if (!deed) return;
      event.preventDefault();
      deed();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [undo, redo, node, remove, paste, copied]);
}
