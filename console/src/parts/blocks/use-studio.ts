import { useEffect, useMemo, useRef, useState } from 'react';
import { useHistory } from '../history.ts';
import type { Added, Dragged, Editing } from './editing.ts';
import { kindOf } from './kinds.ts';
import {
  DESIGN_VERSION,
  blockWith,
  duplicated,
  freshId,
  inserted,
  moved,
  readDesign,
  removed,
  renamed,
  renderDesign,
  replaced,
  spotOf,
  stepped,
  styleOf,
  warningsOf,
} from './model.ts';
import type { Block, Design, DesignWarning, Spot } from './model.ts';

interface Given {
  readonly first: Design;
  readonly type: 'transactional' | 'marketing';
  readonly change: (design: Design) => void;
}

interface StudioState {
  readonly editing: Editing;
  readonly html: string;
  readonly warnings: readonly DesignWarning[];
  /** The selected block. */
  readonly block: Block | undefined;
  readonly undo: (() => void) | null;
  readonly redo: (() => void) | null;
  readonly putDesign: (design: Design) => void;
  /** Selects a block and brings it into view. */
  readonly show: (id: string) => void;
  /** Adds a block behind the selected one, else at the end. */
  readonly append: (added: Added) => void;
  /** The place of a block whose kind is being chosen; null while nothing is asked. */
  readonly asked: Spot | null;
  readonly stopAsking: () => void;
  /** The last change in words, for screen readers. */
  readonly announced: string;
  /** Why the last block could not be added; null if it could. */
  readonly refused: string | null;
}

function chordOf({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (!ctrlKey && !metaKey) return null;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' ? 'redo' : null;
}

/** Undoes and redoes by keys: the browser's own undo would change one text, and not the mail. */
function useUndoKeys(undo: (() => void) | null, redo: (() => void) | null): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const chord = chordOf(event);
      if (chord === null || (event.target instanceof HTMLElement && event.target.closest('.dialog'))) return;
      event.preventDefault();
      (chord === 'undo' ? undo : redo)?.();
    };
    addEventListener('keydown', pressed, true);
    return () => removeEventListener('keydown', pressed, true);
  }, [undo, redo]);
}

/** Focuses a block as soon as it is drawn. Returns what asks for it. */
function useFocus(waits: boolean): (id: string) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const frame = wanted.current === null || waits ? null : document.querySelector<HTMLElement>(`.block[data-id="${wanted.current}"]`);
    if (!frame) return;
    wanted.current = null;
    // A dialog that closes gives the focus back first.
    setTimeout(() => {
      frame.focus();
      frame.scrollIntoView({ block: 'nearest' });
    });
  });
  return (id) => {
    wanted.current = id;
  };
}

/** Returns the block before, else after, a block that is removed; null if it is the only one. */
function neighborOf(id: string): string | null {
  const frames = [...document.querySelectorAll<HTMLElement>('.canvas .block')];
  const at = frames.findIndex((frame) => frame.dataset['id'] === id);
  const next = [frames[at - 1], ...frames.slice(at + 1)].find((frame) => frame && !frames[at]?.contains(frame));
  return next?.dataset['id'] ?? null;
}

const labelIn = (blocks: readonly Block[], id: string): string => {
  const found = blockWith(blocks, id);
  return found ? kindOf(found.kind).label : 'Block';
};

type PutBlocks = (change: (blocks: readonly Block[]) => readonly Block[], key?: string) => void;

interface Acting {
  readonly blocks: readonly Block[];
  readonly put: PutBlocks;
  /** Selects and focuses a block, and says what was done. */
  readonly focusOn: (id: string, words: string) => void;
  readonly empty: (words: string) => void;
  readonly refuse: (reason: string | null) => void;
}

/** Returns blocks with ids of their own among others. */
const freshOf = (added: Added, others: readonly Block[]): readonly Block[] =>
  ('kind' in added ? [kindOf(added.kind).fresh(freshId(others))] : added.blocks).reduce<readonly Block[]>(
    (fresh, block) => [...fresh, renamed(block, [...others, ...fresh])],
    [],
  );

const TOO_MUCH = 'It does not fit here: a mail has at most 300 blocks, nested up to five deep.';

/** Returns the acts on blocks. */
const actsOn = ({ blocks, put, focusOn, empty, refuse }: Acting) => ({
  change: (changed: Block): void => put((before) => replaced(before, changed.id, () => changed), `block ${changed.id}`),
  add(added: Added, spot: Spot): void {
    const fresh = freshOf(added, blocks);
    const place = (before: readonly Block[]): readonly Block[] =>
      fresh.reduce((list, block, at) => inserted(list, { ...spot, at: spot.at + at }, block), before);
    const fits = readDesign({ version: DESIGN_VERSION, blocks: place(blocks) }).design !== undefined;
    refuse(fits ? null : TOO_MUCH);
    const [first] = fresh;
    if (!fits || !first) return;
    put(place);
    focusOn(first.id, `${'kind' in added ? kindOf(added.kind).label : added.name} added`);
  },
  remove(id: string): void {
    const [next, words] = [neighborOf(id), `${labelIn(blocks, id)} deleted`];
    put((before) => removed(before, id));
    if (next === null) empty(words);
    else focusOn(next, words);
  },
  duplicate(id: string): void {
    const copy = duplicated(blocks, id);
    if (!copy) return;
    put(() => copy.blocks);
    focusOn(copy.id, `${labelIn(blocks, id)} duplicated`);
  },
  step(id: string, by: -1 | 1): void {
    put((before) => stepped(before, id, by));
    focusOn(id, `${labelIn(blocks, id)} moved ${by < 0 ? 'up' : 'down'}`);
  },
  move(id: string, spot: Spot): void {
    put((before) => moved(before, id, spot));
    focusOn(id, `${labelIn(blocks, id)} moved`);
  },
});

/** Returns the state of the editor, and what can be done. */
export function useStudio({ first, type, change: report }: Given): StudioState {
  const { now: design, put, undo, redo } = useHistory(() => first);
  const [selected, select] = useState<string | null>(null);
  const [asked, ask] = useState<Spot | null>(null);
  const [dragged, drag] = useState<Dragged | null>(null);
  const [announced, announce] = useState('');
  const [refused, refuse] = useState<string | null>(null);
  const reported = useRef(first);
  useUndoKeys(undo, redo);
  const focus = useFocus(asked !== null);
  useEffect(() => {
    if (reported.current === design) return;
    reported.current = design;
    report(design);
  }, [design, report]);
  const html = useMemo(() => renderDesign(design), [design]);
  const warnings = useMemo(() => warningsOf(design, html, type), [design, html, type]);

  const putBlocks: PutBlocks = (change, key) =>
    put((before) => {
      const blocks = change(before.blocks);
      return blocks === before.blocks ? before : { ...before, blocks };
    }, key);
  const focusOn = (id: string, words: string): void => {
    focus(id);
    select(id);
    announce(words);
  };
  const empty = (words: string): void => {
    select(null);
    announce(words);
  };
  const acts = actsOn({ blocks: design.blocks, put: putBlocks, focusOn, empty, refuse });
  const drop = (spot: Spot): void => {
    drag(null);
    if (dragged && 'id' in dragged) acts.move(dragged.id, spot);
    else if (dragged) acts.add(dragged, spot);
  };
  const append = (added: Added): void => {
    const spot = selected === null ? null : spotOf(design.blocks, selected);
    acts.add(added, spot ? { ...spot, at: spot.at + 1 } : { parent: null, list: 0, at: design.blocks.length });
  };
  return {
    editing: { design, style: styleOf(design.style), selected, select, ask, dragged, drag, drop, ...acts },
    block: selected === null ? undefined : blockWith(design.blocks, selected),
    putDesign: (changed) => put(() => changed, 'style'),
    show: (id) => focusOn(id, ''),
    stopAsking: () => ask(null),
    html,
    warnings,
    undo,
    redo,
    append,
    asked,
    announced,
    refused,
  };
}
