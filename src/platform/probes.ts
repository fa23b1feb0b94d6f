import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Config } from './config';
import { listenAt } from './start-up';
import type { Logger } from './log';
import type { Metered } from './metrics';
import { CONTENT_TYPE, expositionOf, metrics, sampled } from './metrics';
import { releaseOf } from './config';

export type Check = 'up' | 'down';

/** Whether what a process needs answers. Resolves to true when it does; may reject, or never come back. */
type Question = () => Promise<boolean>;

/** An answer that takes longer is none. */
const ANSWER_MS = 2_000;
const EVERY_MS = 2_000;
/** A server that is down is checked this many times more often than one that is up. */
const SOONER = 8;

/** Resolves to `up` when the answer is yes, and comes soon enough. */
async function checked(answer: Promise<boolean>, withinMs = ANSWER_MS): Promise<Check> {
  const up = await Promise.race([answer.catch(() => false), wait(withinMs, false, { ref: false })]);
  return up ? 'up' : 'down';
}

/** Asks again and again in the background, so that a probe is answered from memory. What was never asked is down. */
export class Upkeep<Name extends string> {
  private readonly states = new Map<Name, Check>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly questions: Readonly<Record<Name, Question>>,
    private readonly times: { readonly everyMs: number; readonly answerMs: number } = { everyMs: EVERY_MS, answerMs: ANSWER_MS },
  ) {}

  /** Returns what was answered last. */
  get checks(): Readonly<Record<Name, Check>> {
    const names = Object.keys(this.questions) as Name[];
    return Object.fromEntries(names.map((name) => [name, this.states.get(name) ?? 'down'])) as Record<Name, Check>;
  }

  start(): void {
    for (const [name, ask] of Object.entries<Question>(this.questions)) void this.ask(name as Name, ask);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async ask(name: Name, question: Question): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const state = await checked(question(), this.times.answerMs);
      this.states.set(name, state);
      await wait(state === 'up' ? this.times.everyMs : this.times.everyMs / SOONER, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  }
}

export interface ProbeAnswer {
  readonly status: 200 | 503;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sources for the state of a process. */
interface ProbeSources {
  readonly mongodb: () => Promise<boolean>;
  readonly temporal: () => Promise<boolean>;
  /** Why the process can never again do its work, so that it should be replaced; empty while it can, or has not begun. */
  readonly faults?: () => readonly string[];
}

/** The paths that orchestrators and load balancers ask, on every process. */
export const PROBE_PATHS = ['/livez', '/readyz'] as const;

export type ProbePath = (typeof PROBE_PATHS)[number];

export const isProbePath = (path: string): path is ProbePath => (PROBE_PATHS as readonly string[]).includes(path);

/** Answers probes from memory: no server is asked while a probe waits. */
export class Probes {
  private readonly upkeep: Upkeep<'mongodb' | 'temporal'>;
  private started = false;
  private stopping = false;

  constructor(private readonly sources: ProbeSources) {
    const { mongodb, temporal } = sources;
    this.upkeep = new Upkeep({ mongodb, temporal });
    this.upkeep.start();
  }

  /** Notes that the process can do its work from now on, as far as it depends on itself. */
  noteStarted(): void {
    this.started = true;
  }

  /** Notes that the process takes nothing new any more. */
  noteStopping(): void {
    this.stopping = true;
    this.upkeep.stop();
  }

  /** Asks both servers now. */
  async asked(): Promise<Readonly<Record<'mongodb' | 'temporal', Check>>> {
    const [mongodb, temporal] = await Promise.all([checked(this.sources.mongodb()), checked(this.sources.temporal())]);
    return { mongodb, temporal };
  }

  /** Returns what was there and what was not when it was asked last. */
  get checks(): Readonly<Record<'mongodb' | 'temporal', Check>> {
    return this.upkeep.checks;
  }

  answer(path: ProbePath): ProbeAnswer {
    return path === '/livez' ? this.live() : this.ready();
  }

  private get faults(): readonly string[] {
    return this.stopping ? [] : (this.sources.faults?.() ?? []);
  }

  /**
   * Answers whether the process is alive. An answer alone shows that its event loop runs. While the process stops, its parts may end in any
   * order.
   */
  private live(): ProbeAnswer {
    const { faults } = this;
    return faults.length === 0 ? { status: 200, body: { status: 'live' } } : { status: 503, body: { status: 'not live', faults } };
  }

  // Temporal is shown and not required: sends are accepted without it, and a worker waits for it in its place.
  private ready(): ProbeAnswer {
    const { checks } = this;
    const isReady = this.started && !this.stopping && checks.mongodb === 'up' && this.faults.length === 0;
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : this.stopping ? 'stopping' : 'not ready', checks } };
  }
}

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
