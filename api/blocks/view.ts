import type { z } from 'zod';
import { RawJson } from '../../src/platform/core';
import type { SavedBlocks } from '../../src/sending/saved-blocks';
import type { SavedBlock } from './schemas';

export const toSavedBlock = ({ _id, name, blocks, createdAt, updatedAt }: SavedBlocks): z.input<typeof SavedBlock> => ({
  ...{ id: _id, name, blocks: new RawJson(blocks) },
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
