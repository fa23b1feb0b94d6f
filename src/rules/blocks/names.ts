import type { Block } from './model';
import { within } from './read';

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
