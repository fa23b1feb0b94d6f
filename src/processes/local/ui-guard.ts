import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { isOwnHost } from '../../platform/addresses';

const LOOPBACK = '127.0.0.1';
const ignored = (): void => undefined;

function handOn(behind: number, { method, url, headers }: IncomingMessage, res: ServerResponse): ReturnType<typeof request> {
  const upstream = request({ host: LOOPBACK, port: behind, method, path: url, headers });
  upstream.on('error', () => res.destroy());
  upstream.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, res, ignored);
  });
  return upstream;
}

/** Serves Temporal's web UI, which listens at `behind` and answers any Host, at `port` to those who name this machine. Resolves when it listens. */
export function guardUi(port: number, behind: number, publicUrl: string): Promise<void> {
  const server = createServer((req, res) => {
    if (isOwnHost(req.headers.host, publicUrl)) pipeline(req, handOn(behind, req, res), ignored);
    else res.writeHead(403, { 'Content-Type': 'text/plain' }).end('This page is shown at localhost\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, LOOPBACK, () => resolve());
  });
}
