import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { INBOX_CSP, INBOX_PAGE } from './sink-page';
import type { Inbox } from './sink-mail';
import type { HostCheck } from './settings';

/** A message may show pictures and be clicked, each link in a tab of its own; it runs nothing and reaches nothing of the page around it. */
const MAIL_CSP = [
  "default-src 'none'",
  'img-src * data:',
  "style-src 'unsafe-inline' *",
  'font-src * data:',
  'media-src *',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly csp?: string;
}

const json = (value: unknown, status = 200): Answer => ({ status, type: JSON_TYPE, body: JSON.stringify(value) });

const forbidden = json({ success: false, error: 'The inbox is available only at localhost', code: 'forbidden' }, 403);

const notFound = json({ success: false, error: 'Not found', code: 'not_found' }, 404);

// Links open in a new tab; the doctype stays first, for without it browsers lay pages out differently.
function withNewTabs(html: string): string {
  const start = /^\s*<!doctype[^>]*>/i.exec(html)?.[0] ?? '';
  return `${start}<base target="_blank">${html.slice(start.length)}`;
}

async function everyMail(inbox: Inbox): Promise<Answer> {
  const mails = [];
  for (const { id } of inbox.newest()) {
    const mail = await inbox.mail(id);
    if (mail) mails.push(mail);
  }
  return json(mails);
}

async function list(inbox: Inbox): Promise<Answer> {
  const rows = [];
  for (const { id, to, receivedAt } of inbox.newest()) {
    const mail = await inbox.mail(id);
    if (mail) rows.push({ id, to, from: mail.from, subject: mail.subject, receivedAt });
  }
  return json(rows);
}

async function oneMail(inbox: Inbox, id: number, view: string | undefined): Promise<Answer> {
  if (view === 'source') {
    const body = await inbox.source(id);
    return body ? { status: 200, type: TEXT, body } : notFound;
  }
  const mail = await inbox.mail(id);
  if (!mail) return notFound;
  if (view === 'html') return { status: 200, type: HTML, body: withNewTabs(mail.html ?? ''), csp: MAIL_CSP };
  return json({ id, ...mail });
}

function route(inbox: Inbox, pathname: string): Answer | Promise<Answer> {
  if (pathname === '/dev/inbox') return { status: 200, type: HTML, body: INBOX_PAGE, csp: INBOX_CSP };
  if (pathname === '/dev/inbox.json') return everyMail(inbox);
  if (pathname === '/dev/inbox/messages') return list(inbox);
  const match = /^\/dev\/inbox\/messages\/(\d{1,15})(?:\/(html|source))?$/.exec(pathname);
  return match ? oneMail(inbox, Number(match[1]), match[2]) : notFound;
}

function answerTo(inbox: Inbox, isOwnHost: HostCheck, { method, url, headers }: IncomingMessage): Answer | Promise<Answer> {
  if (!isOwnHost(headers.host)) return forbidden;
  if (method === 'GET' || method === 'HEAD') return route(inbox, new URL(url ?? '/', 'http://localhost').pathname);
  return json({ success: false, error: 'Method not allowed', code: 'method_not_allowed' }, 405);
}

async function respond(inbox: Inbox, isOwnHost: HostCheck, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer = await answerTo(inbox, isOwnHost, request);
  response.writeHead(answer.status, {
    'content-type': answer.type,
    'content-length': Buffer.byteLength(answer.body),
    'content-security-policy': answer.csp ?? "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(answer.status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}

/** Returns the inbox over HTTP: the page, `/dev/inbox.json`, and what the page asks for. */
export const createSinkHttp = (inbox: Inbox, isOwnHost: HostCheck): http.Server =>
  http.createServer((request, response) => {
    respond(inbox, isOwnHost, request, response).catch(() => response.destroy());
  });
