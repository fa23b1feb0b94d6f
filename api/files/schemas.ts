import { z } from 'zod';
import { PICTURE_TYPES } from '../../src/sending/files';
import { count, name, search, timestamp } from '../http/pieces';

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
    width: count.meta({ description: 'Pixels from left to right, as it is shown' }),
    height: count.meta({ description: 'Pixels from top to bottom, as it is shown' }),
    createdAt: timestamp,
  })
  .meta({ id: 'File', description: 'A picture for mail' });
