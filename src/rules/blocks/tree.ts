import type { Block } from './model';
import { allOf, within } from './read';

type Blocks = readonly Block[];

/** A place in a list of blocks: of the design (`parent` is null), or the list with this number in a block. */
export interface Spot {
  readonly parent: string | null;
  readonly list: number;
  readonly at: number;
}

function withLists(block: Block, lists: readonly Blocks[]): Block {
  const [first = [], second = []] = lists;
  if (block.kind === 'columns') return { ...block, columns: lists };
  if (block.kind === 'repeat') return { ...block, blocks: first };
  if (block.kind !== 'condition') return block;
  const { otherwise: _, ...rest } = block;
  return { ...rest, blocks: first, ...(second.length > 0 && { otherwise: second }) };
}

const isSame = (one: Blocks, other: Blocks): boolean => one.length === other.length && one.every((block, at) => block === other[at]);

/** Changes every list of blocks, the innermost first. Lists and blocks that stay the same stay the same objects. */
function mapped(blocks: Blocks, change: (blocks: Blocks, parent: string | null, list: number) => Blocks): Blocks {
  const each = (list: Blocks, parent: string | null, number: number): Blocks => {
    const inner = list.map((block) => {
      const before = within(block);
      const after = before.map((one, at) => each(one, block.id, at));
      return before.every((one, at) => one === after[at]) ? block : withLists(block, after);
    });
    const after = change(inner, parent, number);
    return isSame(list, after) ? list : after;
  };
  return each(blocks, null, 0);
}

export const blockWith = (blocks: Blocks, id: string): Block | undefined => allOf(blocks).find((block) => block.id === id);

/** Returns where a block is; null if it does not exist. */
export function spotOf(blocks: Blocks, id: string, parent: string | null = null, list = 0): Spot | null {
  const at = blocks.findIndex((block) => block.id === id);
  if (at >= 0) return { parent, list, at };
  for (const block of blocks)
    for (const [number, inner] of within(block).entries()) {
      const spot = spotOf(inner, id, block.id, number);
      if (spot) return spot;
    }
  return null;
}

export const replaced = (blocks: Blocks, id: string, change: (block: Block) => Block): Blocks =>
  mapped(blocks, (list) => list.map((block) => (block.id === id ? change(block) : block)));

export const removed = (blocks: Blocks, id: string): Blocks => mapped(blocks, (list) => list.filter((block) => block.id !== id));

export const inserted = (blocks: Blocks, spot: Spot, block: Block): Blocks =>
  mapped(blocks, (list, parent, number) => (parent === spot.parent && number === spot.list ? list.toSpliced(spot.at, 0, block) : list));

/** Moves a block to a spot of the blocks as they are; a block is never moved into itself. */
export function moved(blocks: Blocks, id: string, to: Spot): Blocks {
  const [block, from] = [blockWith(blocks, id), spotOf(blocks, id)];
  if (!block || !from || (to.parent !== null && allOf([block]).some((inner) => inner.id === to.parent))) return blocks;
  const isBehind = from.parent === to.parent && from.list === to.list && from.at < to.at;
  return inserted(removed(blocks, id), isBehind ? { ...to, at: to.at - 1 } : to, block);
}

const listAt = (blocks: Blocks, { parent, list }: Spot): Blocks => {
  if (parent === null) return blocks;
  const block = blockWith(blocks, parent);
  return (block && within(block)[list]) ?? [];
};

/** Returns the blocks of the list that a block is in; none if the block does not exist. */
export function blocksAround(blocks: Blocks, id: string): Blocks {
  const spot = spotOf(blocks, id);
  return spot ? listAt(blocks, spot) : [];
}

/** Moves a block up or down by one; past the end of the list that it is in, out of the block around it. */
export function stepped(blocks: Blocks, id: string, by: -1 | 1): Blocks {
  const from = spotOf(blocks, id);
  if (!from) return blocks;
  const at = from.at + by;
  if (at >= 0 && at < listAt(blocks, from).length) return moved(blocks, id, { ...from, at: by < 0 ? at : at + 1 });
  const around = from.parent === null ? null : spotOf(blocks, from.parent);
  return around ? moved(blocks, id, { ...around, at: by < 0 ? around.at : around.at + 1 }) : blocks;
}

/** Returns an id that no block has. */
export function freshId(blocks: Blocks): string {
  const taken = new Set(allOf(blocks).map(({ id }) => id));
  let number = taken.size + 1;
  while (taken.has(`b${number}`)) number += 1;
  return `b${number}`;
}

/** Returns a block with ids that no block of a design has, its own and those within it. */
export function renamed(block: Block, blocks: Blocks): Block {
  const around = [...blocks];
  const each = (one: Block): Block => {
    const id = freshId(around);
    around.push({ kind: 'divider', id });
    return withLists(
      { ...one, id },
      within(one).map((list) => list.map(each)),
    );
  };
  return each(block);
}

/** Puts a copy of a block behind it. Resolves to the blocks and the id of the copy; null if the block does not exist. */
export function duplicated(blocks: Blocks, id: string): { readonly blocks: Blocks; readonly id: string } | null {
  const [block, spot] = [blockWith(blocks, id), spotOf(blocks, id)];
  if (!block || !spot) return null;
  const copy = renamed(block, blocks);
  return { blocks: inserted(blocks, { ...spot, at: spot.at + 1 }, copy), id: copy.id };
}

/** Returns the names that repeated blocks around a block give their elements, outermost first; null if it does not exist. */
export function namesAround(blocks: readonly Block[], id: string, names: readonly string[] = []): readonly string[] | null {
  for (const block of blocks) {
    if (block.id === id) return names;
    const inner = block.kind === 'repeat' ? [...names, block.name] : names;
    for (const list of within(block)) {
      const found = namesAround(list, id, inner);
      if (found) return found;
    }
  }
  return null;
}
