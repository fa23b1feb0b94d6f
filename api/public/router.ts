import type { Request, RequestHandler, Response } from 'express';
import type { Core } from '../../src/platform/core';
import { readClickToken } from '../../src/records/emails';
import { withinLimit } from '../../src/platform/async';
import { ANSWER_MS, AppError, withinRequest } from '../../src/platform/core';
import { viewOf } from '../../src/sending/tracking';
import { STATUS, failureHeaders, toAppError } from '../http/errors';
import { respondWithError } from '../http/mount';
import { PathTable } from '../http/paths';
import { noteError, stateOf } from '../http/state';
import { hitNoter } from './hits';
import { languageOf } from './language';
import { known, links, noSuchLink, sendPage } from './links';
import type { Route, Serve } from './links';
import { MESSAGE_POLICY, failurePage, notKeptPage } from './pages';
import { locationOf } from './target';
import { requireOwnHost } from './tracking-hosts';
import { unsubscribeRoutes } from './unsubscribe';

/** 1 by 1, transparent. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/** The token is in the address: no cache, no search engine and no other site is to have it. */
const PRIVATE = {
  'Cache-Control': 'no-store, private',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns what recipients reach without a key, by the signed links of their mail. Everything else is passed on. */
export function publicPages(core: Core, ready: () => boolean): RequestHandler {
  const table = new PathTable<Serve>();
  for (const [method, path, serve] of routesOf(core, ready)) table.add(method, path, serve);
  return async (req, res, next) => {
    const match = table.find(req.path);
    if (!match) return next();
    stateOf(res).route = match.template;
    res.set(PRIVATE);
    try {
      const serve = match.methods.get(req.method === 'HEAD' ? 'GET' : req.method);
      if (!serve) throw methodNotAllowed([...match.methods.keys()]);
      // What a click or an opt-out writes goes on without its client.
      const bounds = { deadline: performance.now() + ANSWER_MS, signal: null };
      await withinLimit(ANSWER_MS, () => withinRequest(bounds, () => serve(match.params['token'] ?? '', req, res)));
    } catch (error) {
      answerFailure(error, req, res);
    }
  };
}

function routesOf(core: Core, ready: () => boolean): readonly Route[] {
  const noteHit = hitNoter(core, ready);
  const { messageOf, storedMessageOf } = links(core, ready);

  const openPixel: Serve = async (file, req, res) => {
    const token = /^(.+)\.gif$/.exec(file)?.[1] ?? '';
    const emailId = messageOf('open', token);
    await requireOwnHost(res, emailId);
    await noteHit(req, 'open', emailId, null);
    res.set('Cross-Origin-Resource-Policy', 'cross-origin').type('gif').send(PIXEL);
  };
  const followLink: Serve = async (token, req, res) => {
    const click = readClickToken(core, token);
    const location = click && locationOf(click.url);
    if (!click || location === null) throw noSuchLink();
    await requireOwnHost(res, click.emailId);
    await noteHit(req, 'click', click.emailId, click.url);
    res.status(302).setHeader('Location', location);
    res.end();
  };
  const view: Serve = async (token, req, res) => {
    const emailId = storedMessageOf('view', token);
    await requireOwnHost(res, emailId, { live: true });
    const { html } = known(await viewOf(core, emailId));
    if (html === null) sendPage(res.status(410), notKeptPage(languageOf(req, null)));
    else sendPage(res, html, MESSAGE_POLICY);
  };

  return [
    ['GET', '/t/o/{token}', openPixel],
    ['GET', '/t/c/{token}', followLink],
    ...unsubscribeRoutes(core, storedMessageOf),
    ['GET', '/v/{token}', view],
  ];
}

function methodNotAllowed(methods: readonly string[]): AppError {
  return new AppError('method_not_allowed', 'This path does not take that method', [], {
    headers: { Allow: (methods.includes('GET') ? [...methods, 'HEAD'] : methods).join(', ') },
  });
}

/** Answers errors with a page for clients that accept one, as browsers do; what is our fault is left for the request's log line, with its cause. */
function answerFailure(error: unknown, req: Request, res: Response): void {
  res.vary('Accept');
  if (req.accepts(['json', 'html']) !== 'html') {
    respondWithError(error, res);
    return;
  }
  const failure = toAppError(error);
  const status = STATUS[failure.code];
  if (status >= 500) noteError(res, failure.cause ?? failure);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  res.status(status).set(failureHeaders(failure, stateOf(res).publicUrl));
  sendPage(res, failurePage(languageOf(req, null), status));
}
