import { z } from 'zod';
import { PICTURE_TYPES } from '../../src/sending/files';
import { count, name, search, timestamp } from '../http/pieces';

const USE_KINDS = ['brand', 'template', 'campaign', 'workflow'] as const;

export const UploadQuery = z.object({
  name: name.default('picture').meta({ description: 'What people know the picture by; it is no part of the URL' }),
});

export const FileQuery = z.object({ search: search.optional().meta({ description: 'Part of the name' }) });

export const File = z
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

export const FileDetail = File.extend({
  uses: z.array(FileUse).meta({ description: 'What shows the picture: the newest 20 of each kind' }),
}).meta({ id: 'FileDetail', description: 'A picture for mail, with what shows it' });
