import { createContext, use } from 'react';
import type { Block, BlockKind, Design, DesignStyle, Spot } from './model.ts';

/** An addition to a mail: a block of a kind, or a copy of blocks that were saved under a name. */
export type Added = { readonly kind: BlockKind } | { readonly name: string; readonly blocks: readonly Block[] };

/** The thing that is dragged: a block of the mail, or something from the list of blocks. */
export type Dragged = { readonly id: string } | Added;

/** The state and the acts that the parts of the editor share. */
export interface Editing {
  readonly design: Design;
  readonly style: Required<DesignStyle>;
  readonly selected: string | null;
  readonly select: (id: string | null) => void;
  /** Changes a block. Changes of one block in quick succession are undone together. */
  readonly change: (block: Block) => void;
  readonly add: (added: Added, spot: Spot) => void;
  readonly remove: (id: string) => void;
  readonly duplicate: (id: string) => void;
  readonly step: (id: string, by: -1 | 1) => void;
  /** Asks which block to add. */
  readonly ask: (spot: Spot) => void;
  readonly dragged: Dragged | null;
  readonly drag: (dragged: Dragged | null) => void;
  readonly drop: (spot: Spot) => void;
}

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('Not within the block editor');
  return editing;
}
