import { deleteSavedBlocks, getSavedBlocks, listSavedBlocks, patchSavedBlocks, saveBlocks } from '../../src/sending/saved-blocks';
import { deleted, paged } from '../http/answers';
import { updated } from '../http/audit';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { Deleted, IdParams, because, extended, name, search, timestamp } from '../http/pieces';
import { RawJson } from '../../src/platform/core';
import type { SavedBlocks } from '../../src/sending/saved-blocks';
import { z } from 'zod';

const BLOCKS = 'The blocks, as `blocks` of a design holds them';

/** A list, which arrives as the text that its author wrote. */
const blocks = z
  .custom<readonly unknown[] | RawJson>(
    (value) => (value instanceof RawJson ? value.text.startsWith('[') : Array.isArray(value)),
    because('invalid_type', 'Must be a list of blocks'),
  )
  .meta({ type: 'array', items: { type: 'object', additionalProperties: {} }, minItems: 1, description: BLOCKS });

const NAME = 'The name that the console shows';

const CreateSavedBlock = z.strictObject({ name: extended(name, NAME), blocks });
const UpdateSavedBlock = CreateSavedBlock.partial();
const SavedBlockQuery = z.object({ search: search.optional().meta({ description: 'Part of the name' }) });

const SavedBlock = z
  .object({
    id: z.string().meta({ description: 'The saved block' }),
    name: z.string().meta({ description: NAME }),
    blocks: z.unknown().meta({ type: 'array', items: { type: 'object', additionalProperties: {} }, description: BLOCKS }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SavedBlock', description: 'One or several blocks, saved under a name; mail gets a copy of them' });

export const savedBlockExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/blocks', {
    operationId: 'listSavedBlocks',
    summary: 'List saved blocks, newest first',
    request: { query: SavedBlockQuery },
    response: SavedBlock,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listSavedBlocks(ctx, query.search, page), toSavedBlock),
  }),
  endpoint('POST /v1/blocks', {
    operationId: 'createSavedBlock',
    summary: 'Save blocks under a name',
    description: 'The console inserts a copy into a message, so a later change does not affect it.',
    request: { body: CreateSavedBlock, verbatim: 'blocks' },
    status: 201,
    response: SavedBlock,
    errors: ['limit_exceeded'],
    audit: ({ data }) => ['saved_block.create', data.id],
    handle: async ({ ctx, body }) => toSavedBlock(await saveBlocks(ctx, body)),
  }),
  endpoint('GET /v1/blocks/{id}', {
    operationId: 'getSavedBlock',
    summary: 'Get a saved block',
    request: { params: IdParams },
    response: SavedBlock,
    handle: async ({ ctx, params }) => toSavedBlock(await getSavedBlocks(ctx, params.id)),
  }),
  endpoint('PATCH /v1/blocks/{id}', {
    operationId: 'updateSavedBlock',
    summary: 'Rename a saved block, or replace its blocks',
    description: 'Mail that contains a copy does not change.',
    request: { params: IdParams, body: UpdateSavedBlock, verbatim: 'blocks' },
    response: SavedBlock,
    audit: ({ params, body }) => updated('saved_block', params.id, body),
    handle: async ({ ctx, params, body }) => toSavedBlock(await patchSavedBlocks(ctx, params.id, body)),
  }),
  endpoint('DELETE /v1/blocks/{id}', {
    operationId: 'deleteSavedBlock',
    summary: 'Delete a saved block',
    description: 'Mail that contains a copy keeps it.',
    request: { params: IdParams },
    response: Deleted,
    audit: ({ params }) => ['saved_block.delete', params.id],
    handle: ({ ctx, params }) => deleted(deleteSavedBlocks(ctx, params.id)),
  }),
]);

const toSavedBlock = ({ _id, blocks, ...saved }: SavedBlocks): z.input<typeof SavedBlock> => ({
  id: _id,
  ...saved,
  blocks: new RawJson(blocks),
});
