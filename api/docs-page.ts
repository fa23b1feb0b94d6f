import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Router } from 'express';
import type { Request, Response, Router as RouterType } from 'express';
import helmet from 'helmet';
import { AppError, notFound } from '../src/platform/core';
import { DOCS_SCRIPT } from './docs-script';
import { Compressed } from './http/compressed';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lettermill API reference</title>
<link rel="icon" type="image/png" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<nav><a href="/docs/guides">Guides</a></nav>
<div id="reference"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/init.js"></script>
</body>
</html>
`;

const file = (path: string): Compressed => new Compressed(() => readFileSync(path));

const ASSETS: Readonly<Record<string, Compressed>> = {
  '/swagger-ui.css': file(require.resolve('swagger-ui-dist/swagger-ui.css')),
  '/swagger-ui.js': file(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  '/favicon.png': file(require.resolve('swagger-ui-dist/favicon-32x32.png')),
};

/** Everything from here: the page works without any other host. Swagger UI sets style attributes. */
const policy = helmet({
  strictTransportSecurity: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

async function sendAsset(asset: Compressed, req: Request, res: Response): Promise<void> {
  const { bytes, headers } = await asset.answerTo(req.get('accept-encoding'));
  res
    .type(extname(req.path))
    .set({ ...headers, 'Cache-Control': 'public, max-age=3600' })
    .send(bytes);
}

/** Returns the reference page of the API. */
export function docsPage(): RouterType {
  const router = Router();
  router.use(policy, async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new AppError('method_not_allowed', 'Only GET', [], { headers: { Allow: 'GET, HEAD' } });
    }
    const asset = ASSETS[req.path];
    if (req.path === '/') res.type('html').send(PAGE);
    else if (req.path === '/init.js') res.type('js').send(DOCS_SCRIPT);
    else if (asset) await sendAsset(asset, req, res);
    else throw notFound('This path');
  });
  return router;
}
