import { z } from 'zod';
import { RawJson } from '../../src/platform/core';
import { because, extended, name, search, timestamp } from '../http/pieces';

const BLOCKS = 'The blocks, as `blocks` of a design holds them';

/** A list, which arrives as the text that its author wrote. */
const blocks = z
  .custom<readonly unknown[] | RawJson>(
    (value) => (value instanceof RawJson ? value.text.startsWith('[') : Array.isArray(value)),
    because('invalid_type', 'Must be a list of blocks'),
  )
  .meta({ type: 'array', items: { type: 'object', additionalProperties: {} }, minItems: 1, description: BLOCKS });

const NAME = 'The name that the console shows';

export const CreateSavedBlock = z.strictObject({ name: extended(name, NAME), blocks });
export const UpdateSavedBlock = CreateSavedBlock.partial();
export const SavedBlockQuery = z.object({ search: search.optional().meta({ description: 'Part of the name' }) });

export const SavedBlock = z
  .object({
    id: z.string().meta({ description: 'The saved block' }),
    name: z.string().meta({ description: NAME }),
    blocks: z.unknown().meta({ type: 'array', items: { type: 'object', additionalProperties: {} }, description: BLOCKS }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SavedBlock', description: 'One or several blocks, saved under a name; mail gets a copy of them' });
