import type { StoredFile } from '../../src/sending/files';
import { servedFile } from '../../src/sending/files';
import type { Core } from '../../src/platform/core';
import { notFound } from '../../src/platform/core';
import { unavailable } from '../http/errors';
import { stateOf } from '../http/state';
import type { Route, Serve } from './links';

const ENDINGS: Readonly<Record<StoredFile['contentType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Returns the path of a picture: nobody can guess it, and it never means another content. */
export const filePath = ({ _id, contentType }: Pick<StoredFile, '_id' | 'contentType'>): string => `/i/${_id}.${ENDINGS[contentType]}`;

/** Ensures that a browser treats the bytes as a picture: they can load and run nothing. */
const INERT = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'Cross-Origin-Resource-Policy': 'cross-origin' };
const FOREVER = 'public, max-age=31536000, immutable';

/** Returns the pictures of projects, which everyone may see who knows their address. */
export function fileRoutes(core: Core, ready: () => boolean): readonly Route[] {
  const serve: Serve = async (name, req, res) => {
    if (!ready()) throw unavailable('The database cannot be reached yet');
    const found = await servedFile(core, name.replace(/\.[a-z]+$/, ''));
    const { trackedProject } = stateOf(res);
    if (!found || filePath(found.file) !== req.path) throw notFound('This picture');
    if (trackedProject !== null && trackedProject !== found.file.projectId) throw notFound('This picture');
    const headers = { ...INERT, 'Cache-Control': FOREVER, ETag: `"${found.file._id}"` };
    res.set('ETag', headers.ETag);
    if (req.fresh) {
      res.status(304).set(headers).end();
      return;
    }
    const content = await found.content();
    if (!content) throw notFound('This picture');
    res.set(headers).type(found.file.contentType).send(content);
  };
  return [['GET', '/i/{token}', serve]];
}
