import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { DESIGN_VERSION, readDesign } from './model.ts';
import type { Block } from './model.ts';

/** Blocks that the project saved under a name. */
export interface SavedBlocks {
  readonly id: string;
  readonly name: string;
  readonly blocks: readonly Block[];
}

const KEY = ['saved-blocks'];

/** Reads all of them. What a newer release saved, and this one cannot draw, is left out. */
async function readAll(): Promise<readonly SavedBlocks[]> {
  const all: SavedBlocks[] = [];
  for await (const { id, name, blocks } of api.listSavedBlocks({ limit: 100 })) {
    const { design } = readDesign({ version: DESIGN_VERSION, blocks });
    if (design) all.push({ id, name, blocks: design.blocks });
  }
  return all.toSorted((one, other) => one.name.localeCompare(other.name));
}

interface SavedState {
  readonly saved: readonly SavedBlocks[];
  readonly error: Error | null;
}

/** Returns the saved blocks of the project, by name. */
export function useSavedBlocks(): SavedState {
  const { data = [], error } = useQuery({ queryKey: KEY, queryFn: readAll });
  return { saved: data, error };
}

/** Returns what reads the list again after a change. */
export function useSavedChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: KEY });
}
