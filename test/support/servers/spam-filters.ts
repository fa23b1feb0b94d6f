import { createServer } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { forTheFile } from '../run/for-the-file';

/** rspamd on loopback: what it was asked, and what it answers. */
export interface Rspamd {
  readonly url: string;
  readonly asked: { readonly method: string; readonly path: string; readonly message: string }[];
  answer: { readonly status: number; readonly body: unknown };
  close(): Promise<void>;
}

async function startRspamd(): Promise<Rspamd> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      rspamd.asked.push({ method: req.method ?? '', path: req.url ?? '', message: Buffer.concat(chunks).toString('latin1') });
      res.writeHead(rspamd.answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(rspamd.answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rspamd: Rspamd = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: { status: 200, body: {} },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return rspamd;
}

/** rspamd for the tests of a file. */
export const anRspamd = (): Rspamd => forTheFile(startRspamd, (rspamd) => rspamd.close());

/** SpamAssassin's spamd on loopback: what it was asked, and what it answers. */
export interface Spamd {
  readonly url: string;
  readonly asked: string[];
  answer: string;
  close(): Promise<void>;
}

async function startSpamd(): Promise<Spamd> {
  const server = net.createServer((socket) => {
    let request = '';
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('data', (text: string) => {
      request += text;
      const [, length = ''] = /^Content-length: (\d+)\r\n/im.exec(request) ?? [];
      if (request.length < request.indexOf('\r\n\r\n') + 4 + Number(length)) return;
      spamd.asked.push(request);
      socket.end(spamd.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spamd: Spamd = {
    url: `spamd://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: '',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return spamd;
}

/** spamd for the tests of a file. */
export const aSpamd = (): Spamd => forTheFile(startSpamd, (spamd) => spamd.close());
