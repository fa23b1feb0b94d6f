import { buffer } from 'node:stream/consumers';
import { PICTURE_TYPES, deleteFile, fileUses, getFile, listFiles, storeFile } from '../../src/sending/files';
import { deleted, paged, reply } from '../http/answers';
import { endpoint, group, listEndpoint, uploadEndpoint } from '../http/endpoint';
import { Deleted, IdParams, MEBIBYTE } from '../http/pieces';
import { File, FileDetail, FileQuery, UploadQuery } from './schemas';
import { toFile } from './view';

const EXTENSION = 'An extension of this implementation.';

export const fileExtensions = group('Files', [
  listEndpoint('GET /v1/files', {
    operationId: 'listFiles',
    summary: 'List pictures, newest first',
    description: EXTENSION,
    request: { query: FileQuery },
    response: File,
    list: 'cursor',
    handle: ({ ctx, core, query, page }) => paged(listFiles(ctx, query.search, page), (file) => toFile(core.config.PUBLIC_URL, file)),
  }),
  uploadEndpoint('POST /v1/files', {
    operationId: 'uploadFile',
    summary: 'Upload a picture',
    description:
      `${EXTENSION} The body is the bytes of a PNG, JPEG, GIF or WebP picture of at most 5 MiB, whose type is decided by its content. A JPEG loses its metadata, but not its orientation. 201 if it is new, 200 if ` +
      'the project has the same content already.',
    takes: [...PICTURE_TYPES, 'application/octet-stream'],
    request: { query: UploadQuery },
    status: [201, 200],
    response: File,
    limits: { bodyBytes: 5 * MEBIBYTE },
    errors: ['limit_exceeded'],
    audit: ({ data, status }) => (status === 201 ? ['file.create', data.id] : null),
    handle: async ({ ctx, core, query, stream, incoming }) => {
      const { file, isNew } = await storeFile(ctx, { name: query.name, content: await buffer(stream ?? incoming) });
      return reply(isNew ? 201 : 200, toFile(core.config.PUBLIC_URL, file));
    },
  }),
  endpoint('GET /v1/files/{id}', {
    operationId: 'getFile',
    summary: 'Get a picture',
    description: `${EXTENSION} \`uses\` lists the templates, campaigns and automations whose current content shows the picture. If the search takes more than 5 seconds, the answer is 503 \`unavailable\`; \`GET /v1/files\` needs no search.`,
    request: { params: IdParams },
    response: FileDetail,
    handle: async ({ ctx, core, params }) => {
      const file = await getFile(ctx, params.id);
      return { ...toFile(core.config.PUBLIC_URL, file), uses: await fileUses(ctx, file._id) };
    },
  }),
  endpoint('DELETE /v1/files/{id}', {
    operationId: 'deleteFile',
    summary: 'Delete a picture',
    description: `${EXTENSION} Mail that shows it shows its alternative text from then on. The same content uploaded again has the same URL.`,
    request: { params: IdParams },
    response: Deleted,
    audit: ({ params }) => ['file.delete', params.id],
    handle: ({ ctx, params }) => deleted(deleteFile(ctx, params.id)),
  }),
]);
