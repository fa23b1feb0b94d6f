import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { Request, RequestHandler, Response, Router as RouterType } from 'express';
import type { Core } from '../../src/platform/core';
import { notFound } from '../../src/platform/core';
import { escapeMarkup } from '../../src/message/template';
import { Compressed, requireReading, sendCompressed } from '../http/compressed';
import { pagePolicy } from '../http/page-policy';
import { GUIDES, readLibrary } from './library';
import type { Guide, Library } from './library';
import { STYLE } from './style';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page's own style, and nothing else. */
const policy = pagePolicy({ styleSrc: [`'sha256-${STYLE_HASH}'`] });

const whole = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><strong><a href="/">Lettermill</a></strong> <a href="${GUIDES}">Guides</a> <a href="/docs">API reference</a></header>
${body}
</body>
</html>
`;

const item = ({ name, title }: Guide, current: Guide | null): string =>
  `<li><a href="${GUIDES}/${name}"${name === current?.name ? ' aria-current="page"' : ''}>${escapeMarkup(title)}</a></li>`;

const navigation = ({ groups }: Library, current: Guide | null): string =>
  groups
    .map(([title, guides]) => `<h2>${escapeMarkup(title)}</h2>\n<ul>\n${guides.map((each) => item(each, current)).join('\n')}\n</ul>`)
    .join('\n');

const guidePage = (library: Library, guide: Guide): string =>
  whole(
    `${guide.title} · Lettermill`,
    `<div class="columns">\n<nav aria-label="Guides">\n${navigation(library, guide)}\n</nav>\n<main>\n${guide.html}</main>\n</div>`,
  );

const contentsPage = (library: Library): string =>
  whole(
    'Guides · Lettermill',
    `<main class="landing">\n<h1>Guides</h1>\n<nav aria-label="Guides">\n${navigation(library, null)}\n</nav>\n</main>`,
  );

const landingPage = ({ DEV_INBOX_URL }: Pick<Core['config'], 'DEV_INBOX_URL'>): string =>
  whole(
    'Lettermill',
    `<main class="landing">
<h1>Lettermill</h1>
<p>An open e-mail platform: transactional messages, campaigns and automations over a JSON API.</p>
<ul>
<li><a href="${GUIDES}/quickstart">Quickstart</a>: send your first message, campaign and automation</li>
<li><a href="${GUIDES}">Guides</a>: how each part works</li>
<li><a href="/docs">API reference</a>, and its <a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/console">Console</a>: contacts, campaigns, automations and the mail log</li>
${DEV_INBOX_URL === undefined ? '' : '<li><a href="/dev/inbox">Inbox</a>: messages sent on this machine</li>\n'}<li><a href="/v1/health">Health</a></li>
</ul>
</main>`,
  );

const send = (req: Request, res: Response, page: Compressed): Promise<void> =>
  sendCompressed(page, 'html', 'public, max-age=300', req, res);

const compressed = (page: () => string): Compressed => new Compressed(() => Buffer.from(page()));

/** Returns the guides under `/docs/guides`, rendered when the first of them is asked for. */
export function guidePages(): RouterType {
  const pages = new Map<string, Compressed>();
  const fill = (): void => {
    const library = readLibrary();
    const set = (path: string, page: () => string) => pages.set(path, compressed(page));
    set('/', () => contentsPage(library));
    for (const guide of library.guides.values()) set(`/${guide.name}`, () => guidePage(library, guide));
  };
  const router = Router();
  router.use(policy, async (req, res) => {
    requireReading(req);
    if (pages.size === 0) fill();
    const page = pages.get(req.path);
    if (!page) throw notFound('This path');
    await send(req, res, page);
  });
  return router;
}

/** Returns a page with links for browsers that come to `/`; for everyone else there is nothing at that path. */
export function landing(core: Pick<Core, 'config'>): RequestHandler {
  const page = compressed(() => landingPage(core.config));
  return (req, res, next) => {
    if (req.path !== '/' || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.vary('Accept');
    if (req.accepts(['json', 'html']) !== 'html') return next();
    policy(req, res, (error?: unknown) => {
      if (error) next(error);
      else send(req, res, page).catch(next);
    });
  };
}
