import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Config } from '../config';
import { listenAt } from '../start-up';
import type { Logger } from '../log';
import type { Metered } from '../metrics';
import { CONTENT_TYPE, expositionOf, metrics, sampled } from '../metrics';
import { releaseOf } from '../config';
import { isProbePath } from './probes';
import type { Probes } from './probes';

const CERTIFICATE = '/certificate';
const REQUEST_MS = 10_000;

/** Answers of a process to its operators. */
export interface Operators {
  readonly part: Metered;
  readonly probes: Probes;
  /** Metrics that are not ours, in Prometheus' text format. */
  readonly others?: () => Promise<string>;
  /** Whether a proxy may get a certificate for a host: asked by Caddy before it does (`on_demand_tls`). */
  readonly mayBeCertified?: (host: string) => Promise<boolean>;
}

/** Answers operators on METRICS_PORT, separate from the port that users reach. Resolves to null if it is not set. */
export async function listenForOperators(
  config: Pick<Config, 'METRICS_PORT' | 'METRICS_HOST' | 'RELEASE_COMMIT'>,
  log: Pick<Logger, 'info'>,
  operators: Operators,
): Promise<Server | null> {
  if (config.METRICS_PORT === undefined) return null;
  const scrape = scrapeOf(releaseOf(config), operators);
  const server = createServer((req, res) => {
    answer(operators, scrape, req, res).catch(() => res.destroy());
  });
  server.requestTimeout = REQUEST_MS;
  const address = { variable: 'METRICS_PORT', port: config.METRICS_PORT, host: config.METRICS_HOST };
  const port = await listenAt(server, address);
  // The listener is the last part to close, and does not keep the process alive.
  server.unref();
  log.info({ host: address.host, port }, 'serving probes and metrics');
  return server;
}

function scrapeOf(version: string, { part, probes, others }: Operators): () => Promise<string> {
  metrics.build.set({ version, part }, 1);
  sampled('dependencies', () => {
    for (const [dependency, state] of Object.entries(probes.checks)) metrics.dependencyUp.set({ dependency }, state === 'up' ? 1 : 0);
  });
  return expositionOf(part, others);
}

async function answer(
  { probes, mayBeCertified }: Operators,
  scrape: () => Promise<string>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { path, query } = targetOf(req);
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendJson(res, 405, { error: 'Only GET and HEAD' });
  } else if (isProbePath(path)) {
    const { status, body } = probes.answer(path);
    sendJson(res, status, body);
  } else if (path === '/metrics') {
    await scrape().then(
      (text) => res.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(text),
      () => sendJson(res, 500, { error: 'The metrics could not be read' }),
    );
  } else if (path === CERTIFICATE && mayBeCertified) {
    await answerForHost(mayBeCertified, query, res);
  } else {
    sendJson(res, 404, { error: 'Use /livez, /readyz or /metrics' });
  }
}

function targetOf({ url = '' }: IncomingMessage): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', query] = url.split('?');
  return { path, query: new URLSearchParams(query) };
}

async function answerForHost(
  mayBeCertified: (host: string) => Promise<boolean>,
  query: URLSearchParams,
  res: ServerResponse,
): Promise<void> {
  await mayBeCertified(query.get('domain') ?? '').then(
    (known) => sendJson(res, known ? 200 : 404, { known }),
    () => sendJson(res, 503, { error: 'The database does not answer' }),
  );
}

function sendJson(res: ServerResponse, status: number, body: Readonly<Record<string, unknown>>): void {
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
}
