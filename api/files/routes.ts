import { buffer } from 'node:stream/consumers';
import { PICTURE_TYPES, deleteFile, fileUses, getFile, listFiles, storeFile } from '../../src/sending/files';
import { deleted, paged, reply } from '../http/answers';
import { endpoint, extensions, listEndpoint, uploadEndpoint } from '../http/endpoint';
import { Deleted, IdParams, MEBIBYTE, count, name, search, timestamp } from '../http/pieces';
import type { StoredFile } from '../../src/sending/files';
import { filePath } from '../public/files';
import { z } from 'zod';

const USE_KINDS = ['brand', 'template', 'campaign', 'workflow'] as const;

const UploadQuery = z.object({
  name: name.default('picture').meta({ description: 'What people know the picture by; it is no part of the URL' }),
});

const FileQuery = z.object({ search: search.optional().meta({ description: 'Part of the name' }) });

const File = z
  .object({
    id: z.string().meta({ description: 'The file' }),
    name: z.string().meta({ description: 'The name that the first upload gave it' }),
    url: z.string().meta({ format: 'uri', description: 'Where mail finds the picture' }),
    contentType: z.enum(PICTURE_TYPES).meta({ description: 'The media type, as the content shows it' }),
    bytes: count.meta({ description: 'The size of the file' }),
    width: count.meta({ description: 'Width in pixels, as people see it' }),
    height: count.meta({ description: 'Height in pixels, as people see it' }),
    createdAt: timestamp,
  })
  .meta({ id: 'File', description: 'A picture for mail' });

const FileUse = z
  .object({
    kind: z.enum(USE_KINDS).meta({ description: 'What shows the picture; the brand has it as its logo' }),
    id: z.string().meta({ description: 'The template, campaign or automation; for the brand, the project' }),
    name: z.string().meta({ description: 'Its name' }),
  })
  .meta({ id: 'FileUse', description: 'Something that shows a picture' });

const FileDetail = File.extend({
  uses: z.array(FileUse).meta({ description: 'What shows the picture: the newest 20 of each kind' }),
}).meta({ id: 'FileDetail', description: 'A picture for mail, with what shows it' });

export const fileExtensions = extensions('Files', [
  listEndpoint('GET /v1/files', {
    operationId: 'listFiles',
    summary: 'List pictures, newest first',
    request: { query: FileQuery },
    response: File,
    list: 'cursor',
    handle: ({ ctx, core, query, page }) => paged(listFiles(ctx, query.search, page), (file) => toFile(core.config.PUBLIC_URL, file)),
  }),
  uploadEndpoint('POST /v1/files', {
    operationId: 'uploadFile',
    summary: 'Upload a picture',
    description:
      'The body is the bytes of a PNG, JPEG, GIF or WebP picture of at most 5 MiB, whose type is decided by its content. A JPEG loses its metadata, but not its orientation. 201 if it is new, 200 if ' +
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
    description:
      '`uses` lists the templates, campaigns and automations whose current content shows the picture. If the search takes more than 5 seconds, the answer is 503 `unavailable`; `GET /v1/files` needs no search.',
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
    description: 'Mail that shows it shows its alternative text from then on. The same content uploaded again has the same URL.',
    request: { params: IdParams },
    response: Deleted,
    audit: ({ params }) => ['file.delete', params.id],
    handle: ({ ctx, params }) => deleted(deleteFile(ctx, params.id)),
  }),
]);

const toFile = (publicUrl: string, file: StoredFile): z.input<typeof File> => {
  const { _id, name, contentType, bytes, width, height, createdAt } = file;
  return { id: _id, name, url: publicUrl + filePath(file), contentType, bytes, width, height, createdAt };
};
