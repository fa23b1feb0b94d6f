import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Config } from '../config';
import { listenAt } from '../listen';
import type { Logger } from '../log';
import { isProbePath } from './probes';
import type { Probes } from './probes';

const REQUEST_MS = 10_000;

/** Answers the probes of a process on METRICS_PORT, beside the port that its users reach. Does nothing when that is not set. */
export async function listenForOperators(
  config: Pick<Config, 'METRICS_PORT' | 'METRICS_HOST'>,
  log: Pick<Logger, 'info'>,
  probes: Probes,
): Promise<Server | null> {
  if (config.METRICS_PORT === undefined) return null;
  const server = createServer((req, res) => answer(probes, req, res));
  server.requestTimeout = REQUEST_MS;
  const place = { variable: 'METRICS_PORT', port: config.METRICS_PORT, host: config.METRICS_HOST };
  const port = await listenAt(server, place);
  // Of a process that ends it is the last thing to go, and nothing that it would wait for.
  server.unref();
  log.info({ host: place.host, port }, 'probes are answered');
  return server;
}

function answer(probes: Probes, req: IncomingMessage, res: ServerResponse): void {
  const [path = ''] = (req.url ?? '').split('?');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  if (isRead && isProbePath(path)) {
    const { status, body } = probes.answer(path);
    sendJson(res, status, body);
  } else {
    sendJson(res, isRead ? 404 : 405, { error: isRead ? 'There is /livez and /readyz' : 'Only GET and HEAD' });
  }
}

function sendJson(res: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
}
