import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { Inbox } from './sink-mail';
import { MailStore } from './sink-store';
import type { HostCheck } from './settings';
import { INBOX_CSP, INBOX_PAGE } from './sink-page';

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
const createSinkHttp = (inbox: Inbox, isOwnHost: HostCheck): http.Server =>
  http.createServer((request, response) => {
    respond(inbox, isOwnHost, request, response).catch(() => response.destroy());
  });

const LARGEST_MAIL_BYTES = 64 * 1024 * 1024;

const tooLarge = (): Error => Object.assign(new Error('5.3.4 The message is too large'), { responseCode: 552 });

async function take(store: MailStore, stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw tooLarge();
  const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  await store.add(
    from,
    envelope.rcptTo.map(({ address }) => address),
    Buffer.concat(chunks),
  );
}

/** Returns an SMTP server for loopback that takes every message at once and gives it to the store. */
const createSinkSmtp = (store: MailStore): SMTPServer =>
  new SMTPServer({
    name: 'sink.localhost',
    banner: 'Lettermill sink',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    hideSize: false,
    size: LARGEST_MAIL_BYTES,
    closeTimeout: 2_000,
    onData: (stream, session, done) => {
      take(store, stream, session).then(() => done(), done);
    },
  });

function listen(server: SMTPServer | http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

/** A running sink. */
export interface Sink {
  /** Refuses new connections, ends the open ones, and resolves when all that was taken is in its file. */
  close(): Promise<void>;
}

/** The mail folder and ports of a sink, and the hosts that may see the inbox. */
export interface SinkOptions {
  readonly folder: string;
  readonly smtpPort: number;
  readonly httpPort: number;
  readonly isOwnHost: HostCheck;
}

/** Takes all mail at `smtpPort`, keeps the newest in `folder` and shows them at `httpPort`; loopback only. */
export async function startSink({ folder, smtpPort, httpPort, isOwnHost }: SinkOptions): Promise<Sink> {
  const store = await MailStore.open(folder);
  const smtp = createSinkSmtp(store);
  const web = createSinkHttp(new Inbox(store), isOwnHost);
  await Promise.all([listen(smtp, smtpPort), listen(web, httpPort)]);
  // A client that resets its connection is no reason to end.
  smtp.on('error', () => undefined);
  return {
    close: async () => {
      web.closeAllConnections();
      await Promise.all([new Promise<void>((resolve) => smtp.close(() => resolve())), new Promise((resolve) => web.close(resolve))]);
      await store.close();
    },
  };
}
