import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { Request, RequestHandler, Response, Router as RouterType } from 'express';
import type { Core } from '../../src/platform/core';
import { notFound } from '../../src/platform/core';
import { Compressed, requireReading, sendCompressed } from '../http/compressed';
import { pagePolicy } from '../http/page-policy';
import { GUIDES, libraryOf, relinked } from './library';
import type { Library } from './library';
import { contentsPage, guidePage, landingPage, searchPage } from './pages';
import { SCRIPT } from './script';
import { STYLE } from './style';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The pages' own style and script, the search form, and nothing else. */
const policy = pagePolicy({ scriptSrc: [hashOf(SCRIPT)], styleSrc: [hashOf(STYLE)], formAction: ["'self'"] });

const CACHING = 'public, max-age=300';
const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

interface Page {
  readonly type: string;
  readonly content: Compressed;
}

const pageOf = (type: string, text: () => string): Page => ({ type, content: new Compressed(() => Buffer.from(text())) });

/** Returns what is served, by its path. */
function pagesOf(library: Library, publicUrl: string): ReadonlyMap<string, Page> {
  const guides = [...library.guides.values()].flatMap((guide): (readonly [string, Page])[] => [
    [`${GUIDES}/${guide.name}`, pageOf('html', () => guidePage(library, guide))],
    [`${GUIDES}/${guide.name}.md`, pageOf(MARKDOWN, () => guide.source)],
  ]);
  return new Map([
    ...guides,
    [GUIDES, pageOf('html', () => contentsPage(library))],
    ['/llms.txt', pageOf(TEXT, () => llmsIndex(library, publicUrl))],
    ['/llms-full.txt', pageOf(TEXT, () => llmsFull(library))],
  ]);
}

const send = ({ type, content }: Page, req: Request, res: Response): Promise<void> => sendCompressed(content, type, CACHING, req, res);

/** Longer queries are cut: all their words would find nothing. */
const MAX_QUERY = 200;

function sendFound(library: Library, req: Request, res: Response): void {
  const { q } = req.query;
  res
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(searchPage(library, typeof q === 'string' ? q.slice(0, MAX_QUERY) : ''));
}

/** Returns the guides under `/docs/guides`, their search, and `/llms.txt`; they are read and rendered when the first of them is asked for. */
export function guidePages(core: Pick<Core, 'config'>): RouterType {
  let served: { readonly library: Library; readonly pages: ReadonlyMap<string, Page> } | null = null;
  const load = () => {
    const library = libraryOf(core);
    return { library, pages: pagesOf(library, core.config.PUBLIC_URL) };
  };
  const router = Router();
  router.use([GUIDES, '/llms.txt', '/llms-full.txt'], policy, async (req, res) => {
    requireReading(req);
    const { library, pages } = (served ??= load());
    const path = (req.baseUrl + req.path).replace(/\/$/, '');
    if (path === `${GUIDES}/search`) return sendFound(library, req, res);
    const page = pages.get(path);
    if (!page) throw notFound('This path');
    await send(page, req, res);
  });
  return router;
}

/** Returns a page with links for browsers that come to `/`; for everyone else there is nothing at that path. */
export function landing(core: Pick<Core, 'config'>): RequestHandler {
  const page = pageOf('html', () => landingPage(core.config));
  return (req, res, next) => {
    if (req.path !== '/' || (req.method !== 'GET' && req.method !== 'HEAD')) return next();
    res.vary('Accept');
    if (req.accepts(['json', 'html']) !== 'html') return next();
    policy(req, res, (error?: unknown) => {
      if (error) next(error);
      else send(page, req, res).catch(next);
    });
  };
}

const SUMMARY =
  'An open e-mail platform: transactional messages, campaigns and automations over a JSON API, with durable execution on Temporal.';
const A_GUIDE = new RegExp(`^${GUIDES}/([a-z-]+)`);

/** Returns the index of the guides for language models (llmstxt.org): each link leads to a page in Markdown. */
function llmsIndex({ index }: Library, publicUrl: string): string {
  const absolute = (href: string): string => (href.startsWith('/') ? publicUrl + href.replace(A_GUIDE, `${GUIDES}/$1.md`) : href);
  return relinked(index, absolute).replace(/^# .+$/m, `# Lettermill\n\n> ${SUMMARY}`);
}

/** Returns all guides as one text, in the order of the index. */
const llmsFull = ({ groups }: Library): string =>
  groups.flatMap(([, listed]) => listed.map(({ guide }) => guide.source.trimEnd())).join('\n\n---\n\n') + '\n';
