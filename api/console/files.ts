import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RequestHandler } from 'express';
import { notFound } from '../../src/platform/core';
import { Compressed, requireReading, sendCompressed } from '../http/compressed';
import { consolePolicy } from './policy';

/** The output of `npm run console`. */
const BUILT = path.resolve(__dirname, '../../console/dist');

/** Files are named by a hash of their content, so the content of a name never changes. */
const ASSET = /^\/assets\/([A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+)$/;
const MOST_ASSETS = 500;

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Lettermill</title>
<p>The console is not built. Run <code>npm run console</code>, or start with <code>npm start</code>. The API works without it.</p>
</html>
`;

/** Returns a lookup of a file that may be built again while the process runs: compressed once for each build, null while there is none. */
function rebuilt(file: string): () => Compressed | null {
  let known = { at: 0, content: null as Compressed | null };
  return () => {
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (at !== known.at) known = { at, content: at === 0 ? null : new Compressed(() => readFileSync(file)) };
    return known.content;
  };
}

/** Returns the files of the console: what is built is read at the first request for it, and any other path is a page of the application itself. */
export function consoleFiles(built = BUILT): RequestHandler {
  const assets = new Map<string, Compressed>();
  const page = rebuilt(path.join(built, 'index.html'));
  const assetAt = (name: string): Compressed => {
    const file = path.join(built, 'assets', name);
    const known = assets.get(name);
    if (known) return known;
    if (assets.size >= MOST_ASSETS || !existsSync(file)) throw notFound('This path');
    const content = new Compressed(() => readFileSync(file));
    assets.set(name, content);
    return content;
  };
  return async (req, res) => {
    requireReading(req);
    const [, asset] = ASSET.exec(req.path) ?? [];
    // A worker is held by the policy of its own answer.
    consolePolicy(res);
    if (asset !== undefined) return sendCompressed(assetAt(asset), path.extname(asset), 'public, max-age=31536000, immutable', req, res);
    if (req.path.startsWith('/assets/')) throw notFound('This path');
    const content = page();
    if (content === null) return void res.status(503).type('html').send(NOT_BUILT);
    return sendCompressed(content, 'html', 'no-cache', req, res);
  };
}
