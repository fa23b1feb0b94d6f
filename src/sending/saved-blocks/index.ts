import { newId, notFound, storedJson } from '../../platform/core';
import type { Context, PageRequest } from '../../platform/core';
import { containing, newestFirst, ownRow } from '../../platform/mongo';
import type { Page } from '../../platform/mongo';
import { requireRoom, withReferenceLock } from '../../records/events';
import { checkBlocks } from '../templates';
import { SavedBlocksModel } from './model';
import type { SavedBlocks } from './model';

/** Saved blocks that a project may have. */
const MOST = 500;

interface NewBlocks {
  readonly name: string;
  /** The list of blocks, or its JSON as it was written. */
  readonly blocks: unknown;
}

type Patch = { readonly [K in keyof NewBlocks]?: NewBlocks[K] | undefined };

/** Returns the text that blocks are stored as. Throws 422 for what is no list of blocks. */
function storedBlocks(blocks: unknown): string {
  const text = storedJson(blocks) ?? '[]';
  checkBlocks(text);
  return text;
}

/** Saves blocks under a name. Throws 422 for what is no list of blocks, and `limit_exceeded`. */
export async function saveBlocks({ projectId }: Context, { name, blocks }: NewBlocks): Promise<SavedBlocks> {
  const text = storedBlocks(blocks);
  return withReferenceLock(projectId, async (session) => {
    await requireRoom(session, projectId, { what: 'saved blocks', most: MOST, of: SavedBlocksModel });
    const now = new Date();
    const saved: SavedBlocks = { _id: newId('blk', now.getTime()), projectId, name, blocks: text, createdAt: now, updatedAt: now };
    await SavedBlocksModel.create([saved], { session });
    return saved;
  });
}

/** Resolves to a page of a project's saved blocks, newest first; with `search`, of those whose name contains it. */
export const listSavedBlocks = ({ projectId }: Context, search: string | undefined, page: PageRequest): Promise<Page<SavedBlocks>> =>
  newestFirst(SavedBlocksModel, { projectId, ...(search && { name: containing(search) }) }, page);

/** Throws `not_found`. */
export const getSavedBlocks = ({ projectId }: Context, _id: string): Promise<SavedBlocks> =>
  ownRow(SavedBlocksModel, 'Saved block', { _id, projectId });

/** Changes what is given and keeps the rest. Mail that has a copy stays as it is. Throws `not_found`, and 422 for what is no list of blocks. */
export async function patchSavedBlocks(ctx: Context, id: string, { name, blocks }: Patch): Promise<SavedBlocks> {
  const given = { ...(name !== undefined && { name }), ...(blocks !== undefined && { blocks: storedBlocks(blocks) }) };
  if (Object.keys(given).length === 0) return getSavedBlocks(ctx, id);
  const saved = await SavedBlocksModel.findOneAndUpdate(
    { _id: id, projectId: ctx.projectId },
    { $set: { ...given, updatedAt: new Date() } },
    { returnDocument: 'after' },
  ).lean<SavedBlocks>();
  if (!saved) throw notFound('Saved block');
  return saved;
}

/** Removes saved blocks; mail that has a copy keeps it. Throws `not_found`. */
export async function deleteSavedBlocks({ projectId }: Context, id: string): Promise<void> {
  const { deletedCount } = await SavedBlocksModel.deleteOne({ _id: id, projectId });
  if (deletedCount === 0) throw notFound('Saved block');
}

export type { SavedBlocks } from './model';
