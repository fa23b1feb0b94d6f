import express from 'express';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import helmet from 'helmet';
import type { Core } from '../src/platform/core';
import { newId } from '../src/platform/core';
import { compatRoutes, dialectOf } from './compat';
import { consolePages } from './console/router';
import { devProxy } from './dev-proxy';
import { docsPage } from './docs-page';
import { guidePages, landing } from './guides/router';
import { ALWAYS_ANSWERED } from './http/admission';
import type { Dialect } from './http/state';
import type { Endpoint } from './http/endpoint';
import { unavailable } from './http/errors';
import { mount, respondWithError } from './http/mount';
import { requestLog, requestTrace, requestMetrics } from './http/request-log';
import { beginState, stateOf } from './http/state';
import { mcpDialect, mcpRoutes } from './mcp/routes';
import type { Health, Probe } from './meta/routes';
import { openApiDocument } from './openapi/document';
import { publicPages } from './public/router';
import { onTrackingHosts } from './public/tracking-hosts';
import { extensions, otherEndpoints, rooms } from './rooms';

export interface AppDeps {
  readonly core: Core;
  readonly health: () => Promise<Health>;
  readonly probe: Probe;
  /** False until the database can be used: requests are answered with 503 meanwhile. Default: always true. */
  readonly ready?: () => boolean;
}

/** Without `includeSubDomains`: the host may be the parent of names that are none of ours. */
const HTTPS_ONLY = 'max-age=31536000';

/** Returns the protocol of a path; null for that of `/v1`. */
const protocolOf = (path: string): Dialect | null => (path === mcpDialect.prefix ? mcpDialect : dialectOf(path));

const identify = (publicUrl: string): RequestHandler => {
  const isSecure = publicUrl.startsWith('https:');
  return (req, res, next) => {
    const requestId = newId('req');
    beginState(res, requestId, publicUrl, protocolOf(req.path));
    res.set('X-Request-Id', requestId);
    if (isSecure) res.set('Strict-Transport-Security', HTTPS_ONLY);
    next();
  };
};

// Express takes a handler for an error handler by its four parameters.
const answerError: ErrorRequestHandler = (error, _req, res, _next) => respondWithError(error, res);

const gate =
  (ready: () => boolean): RequestHandler =>
  (req, _res, next) => {
    if (ready() || ALWAYS_ANSWERED.has(req.path)) next();
    else throw unavailable('The database is not reachable yet; retry shortly');
  };

/** Serves the pages for people: guides, reference, console, and the targets of links in mail. */
function pagesOf(core: Core, ready: () => boolean): RequestHandler {
  const pages = express.Router();
  if (core.config.DEV_INBOX_URL !== undefined) pages.use('/dev', devProxy(core.config.DEV_INBOX_URL, core.config.PUBLIC_URL));
  pages.use(landing(core));
  pages.use(guidePages(core));
  pages.use('/docs', docsPage());
  pages.use('/console', consolePages(core, ready));
  pages.use(publicPages(core, ready));
  return pages;
}

/** Serves endpoints behind all that every request passes. */
export function serveEndpoints(core: Core, endpoints: readonly Endpoint[], ready: () => boolean = () => true): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(identify(core.config.PUBLIC_URL), requestTrace, requestMetrics, requestLog(core.log));
  const pages = pagesOf(core, ready);
  app.use(onTrackingHosts(core, ready));
  // None of them is below /v1 or at a path of another protocol, where nearly all requests go.
  app.use((req, res, next) => (req.path.startsWith('/v1/') || stateOf(res).dialect ? next() : pages(req, res, next)));
  app.use(helmet({ strictTransportSecurity: false }), gate(ready));
  mount(app, endpoints, core);
  app.use(answerError);
  return app;
}

/** Returns the HTTP side of the platform, without a listener. */
export function createApp({ core, health, probe, ready }: AppDeps): Express {
  let document: Record<string, unknown> | null = null;
  const own = rooms({ health, document: () => (document ??= openApiDocument(endpoints)) });
  const endpoints = [...own, ...extensions(probe)];
  return serveEndpoints(core, [...endpoints, ...otherEndpoints, ...compatRoutes, ...mcpRoutes(() => endpoints)], ready);
}
