import type { z } from 'zod';
import type { StoredFile } from '../../src/sending/files';
import { filePath } from '../public/files';
import type { File } from './schemas';

export const toFile = (publicUrl: string, file: StoredFile): z.input<typeof File> => {
  const { _id, name, contentType, bytes, width, height, createdAt } = file;
  return { id: _id, name, url: publicUrl + filePath(file), contentType, bytes, width, height, createdAt: createdAt.toISOString() };
};
