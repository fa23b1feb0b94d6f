import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Router } from 'express';
import type { Router as RouterType } from 'express';
import { notFound } from '../src/platform/core';
import { Compressed, requireReading, sendCompressed } from './http/compressed';
import { pagePolicy } from './http/page-policy';

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
const policy = pagePolicy({
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
});

/** Returns the reference page of the API. */
export function docsPage(): RouterType {
  const router = Router();
  router.use(policy, async (req, res) => {
    requireReading(req);
    const asset = ASSETS[req.path];
    if (req.path === '/') res.type('html').send(PAGE);
    else if (req.path === '/init.js') res.type('js').send(DOCS_SCRIPT);
    else if (asset) await sendCompressed(asset, extname(req.path), 'public, max-age=3600', req, res);
    else throw notFound('This path');
  });
  return router;
}

/**
 * Starts Swagger UI, with references filled in by a function of our own.
 * Its own resolver reads the whole document again before it shows anything: 1.5 s of the 2 s until the operations were there. This one reads the part that is asked for.
 * The document has no references but to itself, none in a path or a parameter, and says at each operation what would be inherited.
 */
const DOCS_SCRIPT = `const unescaped = (name) => name.replaceAll('~1', '/').replaceAll('~0', '~');
const at = (document, names) => names.reduce((part, name) => part?.[name], document);

/** A part of the document with its references resolved. A reference to what it stands in stays. */
function filledIn(document, part, within) {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => filledIn(document, each, within));
  const { $ref, ...rest } = part;
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, filledIn(document, value, within)]));
  if (typeof $ref !== 'string') return own;
  if (within.includes($ref)) return { ...own, $ref };
  const target = at(document, $ref.slice(2).split('/').map(unescaped));
  return { ...filledIn(document, target, [...within, $ref]), ...own, $$ref: $ref };
}

const resolveSubtree = async (document, names) => ({ errors: [], spec: filledIn(document, at(document, names), []) });

SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  plugins: [() => ({ fn: { resolveSubtree } })],
});
`;
