import type { Request, RequestHandler, Response } from 'express';
import type { Core } from '../../src/platform/core';
import { readClickToken, maskTokens } from '../../src/records/emails';
import { withinLimit } from '../../src/platform/async';
import { ANSWER_MS, AppError, withinRequest } from '../../src/platform/core';
import {
  viewOf,
  HitRecorder,
  clientKey,
  machineReason,
  leaveByMail,
  optOutOf,
  readerOf,
  topicOfMail,
  undoByMail,
} from '../../src/sending/tracking';
import { clientOfRequest } from '../http/client-of-request';
import { STATUS, failureHeaders, toAppError } from '../http/errors';
import { respondWithError } from '../http/mount';
import { PathTable } from '../http/paths';
import { noteError, stateOf } from '../http/state';
import { approvalRoutes } from './approvals';
import { smallFormOf } from './form-body';
import { fileRoutes } from './files';
import { formRoutes } from './forms';
import { languageOf } from './language';
import { known, links, noSuchLink, sendPage } from './links';
import { optInRoutes } from './opt-in';
import type { Route, Serve, Links } from './links';
import { MESSAGE_POLICY, failurePage, notKeptPage, cannotUndoPage, resubscribedPage, unsubscribePage, unsubscribedPage } from './pages';
import { requireOwnHost } from './tracking-hosts';
import { parsedUrl } from '../../src/rules/parsed-url';
import { setTimeout as wait } from 'node:timers/promises';
import type { HitKind } from '../../src/sending/tracking';
import { policyOf } from './frame';
import { preferenceRoutes } from './preferences';

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
      // The writes of a click or an opt-out continue when the client disconnects.
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
    ...preferenceRoutes(core, storedMessageOf),
    ['GET', '/v/{token}', view],
    ...fileRoutes(core, ready),
    ...optInRoutes(core, ready),
    ...approvalRoutes(core, ready),
    ...formRoutes(core, ready),
  ];
}

/** Returns the pages by which recipients opt out and take it back. */
function unsubscribeRoutes(core: Core, messageOf: Links['storedMessageOf']): readonly Route[] {
  const messageAt = async (res: Response, token: string): Promise<string> => {
    const emailId = messageOf('unsubscribe', token);
    await requireOwnHost(res, emailId);
    return emailId;
  };
  const askToUnsubscribe: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const reader = known(await readerOf(emailId));
    const page = unsubscribePage(languageOf(req, reader.locale), reader, token, await topicOfMail(emailId));
    sendPage(res, page, policyOf(reader.brand));
  };
  const unsubscribe: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const source = (await isOneClick(req, res)) ? 'one_click' : 'link';
    const { topic } = known(await leaveByMail(core, emailId, source));
    const reader = known(await readerOf(emailId));
    sendPage(res, unsubscribedPage(languageOf(req, reader.locale), reader, token, topic), policyOf(reader.brand));
  };
  const unsubscribeFromAll: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    if (!(await optOutOf(core, emailId, 'link'))) throw noSuchLink();
    const reader = known(await readerOf(emailId));
    sendPage(res, unsubscribedPage(languageOf(req, reader.locale), reader, token, null, '../'), policyOf(reader.brand));
  };
  // The token is what another site does not have, so that no other site can have a reader's browser send this.
  const resubscribe: Serve = async (token, req, res) => {
    const emailId = await messageAt(res, token);
    const { isUndone, topic } = known(await undoByMail(emailId));
    const reader = known(await readerOf(emailId));
    const language = languageOf(req, reader.locale);
    if (isUndone) sendPage(res, resubscribedPage(language, reader, topic), policyOf(reader.brand));
    else sendPage(res.status(409), cannotUndoPage(language, reader), policyOf(reader.brand));
  };
  return [
    ['GET', '/u/{token}', askToUnsubscribe],
    ['POST', '/u/{token}', unsubscribe],
    ['POST', '/u/{token}/everything', unsubscribeFromAll],
    ['POST', '/u/{token}/undo', resubscribe],
  ];
}

/** Resolves to whether a POST is a mail client's one-click request (RFC 8058, section 3.1); what is not is the page's own form. Fails past 1 KiB. */
const isOneClick = async (req: Request, res: Response): Promise<boolean> =>
  (await smallFormOf(req, res)).get('List-Unsubscribe') === 'One-Click';

/** The longest that a reader waits for us to write down that they read. */
const PATIENCE_MS = 300;

type NoteHit = (req: Request, kind: HitKind, emailId: string, url: string | null) => Promise<void>;

/** Records who opens and clicks. Resolves when that is done, fails, or takes too long: the reader is answered in any case. */
function hitNoter(core: Pick<Core, 'config' | 'log'>, ready: () => boolean): NoteHit {
  const { log } = core;
  const recorder = new HitRecorder(core.config.CLICK_TIMING);
  const lost = (emailId: string, kind: HitKind, why: string): void => log.warn({ emailId, kind, failure: why }, 'A hit was not recorded');
  return async (req, kind, emailId, url) => {
    if (!ready()) return lost(emailId, kind, 'NotConnected');
    // A link may carry the tokens of its own message.
    const shown = url && maskTokens(url);
    const { method, headers } = req;
    const address = clientOfRequest(core, req);
    const userAgent = req.get('user-agent') ?? null;
    const machine = machineReason(kind, { method, headers, client: address });
    const hit = { emailId, kind, url: shown, userAgent, client: clientKey(emailId, address, userAgent), machine, at: new Date() };
    const recorded = recorder.record(hit).catch((error: unknown) => lost(emailId, kind, error instanceof Error ? error.name : 'unknown'));
    await Promise.race([recorded, wait(PATIENCE_MS, undefined, { ref: false })]);
  };
}

const WEB: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Characters that a header and every client take as they are. */
const PLAIN = /^[\x21-\x7e]+$/;

/** Returns where to send a reader for a signed link: as its author wrote it wherever a header can carry that. Null for what is not of the web. */
function locationOf(url: string): string | null {
  const target = parsedUrl(url);
  if (!target || !WEB.has(target.protocol)) return null;
  return PLAIN.test(url) ? url : target.href;
}

function methodNotAllowed(methods: readonly string[]): AppError {
  return new AppError('method_not_allowed', 'This path does not support that method', [], {
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
