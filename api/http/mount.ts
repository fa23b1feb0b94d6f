import { setMaxListeners } from 'node:events';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { Context, Core, Rows } from '../../src/platform/core';
import { ANSWER_MS, AppError, jsonText, withinRequest, perCore } from '../../src/platform/core';
import { KeyRates, KeyUses } from '../../src/records/projects';
import { awaitLargeWork } from '../../src/platform/limits';
import { afterwards, withinLimit } from '../../src/platform/async';
import { FairQueue } from '../../src/platform/fair';
import { InFlight, admitted } from './admission';
import type { Books } from './admission';
import { auditChange } from './audit';
import type { Caller } from './auth';
import { jsonReader, streamOf } from './body';
import type { ReadBody } from './body';
import { Reply, Streamed, reply } from './answers';
import { statusOf } from './endpoint';
import type { Endpoint } from './endpoint';
import { payloadSchema, successBody } from './envelope';
import { STATUS, errorBody, failureHeaders, toAppError, unavailable } from './errors';
import { idempotencyOf, nextCursor, readInput } from './input';
import type { Input, RawInput } from './input';
import { isReplay } from './once';
import { PathTable } from './paths';
import { doneBy, noSuchPath } from './near-path';
import { MEBIBYTE } from './pieces';
import { noteError, stateOf, whenClosed } from './state';
import { queriesOf, unknownQueries } from './unknown-queries';
import { warn } from './warnings';
import { sendWhole, wholeAnswer } from './whole';
import type { WholeAnswer } from './whole';

/** Data that is prepared once for an endpoint. */
interface Route {
  readonly endpoint: Endpoint;
  readonly readBody: ReadBody | null;
  /** Reads the body of an upload. */
  readonly streamBody: ((req: Request) => Readable) | null;
  readonly response: z.ZodType;
  /** The query parameters that it reads. */
  readonly queries: readonly string[];
}

/** Bodies of these hold whole documents, a design or a graph among them. */
const DOCUMENTS = /^\/v1\/(?:templates|campaigns|workflows)(?:\/|$)/;

function routeOf(endpoint: Endpoint): Route {
  const { path, request, limits } = endpoint;
  const { takes } = endpoint.form;
  const limit = limits?.bodyBytes ?? (DOCUMENTS.test(path) ? 4 : 1) * MEBIBYTE;
  return {
    endpoint,
    readBody: takes ? null : jsonReader(limit, request?.verbatim),
    streamBody: takes ? (req) => streamOf(req, takes, limit) : null,
    response: payloadSchema(endpoint),
    queries: queriesOf(endpoint),
  };
}

/** Serves the endpoints, refusals in this order: path, method, too much to do, key, its rate, its scope, media type, size, schemas, then the handler. */
export function mount(app: Express, endpoints: readonly Endpoint[], core: Core): void {
  const table = new PathTable<Route>();
  const inFlight = new InFlight(core.config.MAX_REQUESTS_IN_FLIGHT);
  const books: Books = { rates: new KeyRates(core.config), uses: new KeyUses(core.log), inFlight };
  for (const endpoint of endpoints) table.add(endpoint.method.toUpperCase(), endpoint.path, routeOf(endpoint));
  const templates = [...new Set(endpoints.map(({ path }) => path))];
  app.use(async (req: Request, res: Response) => {
    const match = table.find(req.path);
    if (!match) throw noSuchPath(req.method, req.path, templates);
    stateOf(res).route = match.template;
    const route = match.methods.get(req.method === 'HEAD' ? 'GET' : req.method);
    if (allowOrigins(match.methods, req, res)) return;
    if (!route) throw methodNotAllowed([...match.methods.keys()], doneBy(req.method, req.path));
    await serve(core, books, route, match.params, req, res);
  });
}

function methodNotAllowed(methods: readonly string[], instead: string | null): AppError {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  const names = allowed.join(', ');
  const hint = instead === null ? '' : `; ${instead}`;
  return new AppError('method_not_allowed', `This path does not support that method. Use ${names}${hint}`, [], {
    headers: { Allow: names },
  });
}

/** Sets CORS headers (Fetch standard); returns true when the request was a preflight and is answered. */
function allowOrigins(methods: ReadonlyMap<string, Route>, req: Request, res: Response): boolean {
  const open = [...methods].filter(([, { endpoint }]) => endpoint.request?.publicBody).map(([method]) => method);
  if (open.length === 0) return false;
  if (open.includes(req.method) || req.method === 'OPTIONS') res.set('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') return false;
  res.set('Access-Control-Allow-Methods', open.join(', '));
  res.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key, X-API-Key');
  res.set('Access-Control-Max-Age', '86400');
  res.status(204).end();
  return true;
}

async function serve(
  core: Core,
  books: Books,
  route: Route,
  params: Readonly<Record<string, string>>,
  req: Request,
  res: Response,
): Promise<void> {
  const { endpoint } = route;
  const { ctx, caller, giveBack } = await admitted(core, books, endpoint, req, res);
  if (!endpoint.handle) throw new AppError('not_implemented', 'This operation is not available yet');
  warn(unknownQueries(route.queries, req.query), res);
  const stream = route.streamBody?.(req) ?? null;
  const body = await route.readBody?.(req, res, admissionOf(ctx));
  books.inFlight.enter(endpoint, res);
  const raw = { incoming: req, params, query: req.query, body };
  const input = await readOrReplay(endpoint, ctx, raw);
  const isReplayed = input instanceof Replayed;
  const answer = isReplayed ? input.answer : await audited(route, caller, input, { ...input, ctx, core, stream, incoming: req }, res);
  if (isReplay(answer)) giveBack();
  if (!isReplayed && ctx) await warnOf(route, core, ctx, input, res);
  respond(route, ctx, isReplayed ? null : input, answer, res);
}

// A body without a key is small.
const admissionOf = (ctx: Context | null) => (ctx ? (bytes: number) => awaitLargeWork(ctx, bytes) : undefined);

/** Adds the warnings of an answer. The operation is done, so a warning that cannot be computed is omitted. */
async function warnOf({ endpoint: { request } }: Route, core: Core, ctx: Context, { body, params }: Input, res: Response): Promise<void> {
  if (request?.warn)
    await afterwards(core, 'The warnings of a request could not be computed', async () =>
      warn((await request.warn?.(ctx, body, params)) ?? [], res),
    );
}

/** Resolves to what the handler answers, once the audit has what it did. */
async function audited(
  route: Route,
  caller: Caller | null,
  input: Input,
  call: Omit<Call, 'by' | 'scope'>,
  res: Response,
): Promise<unknown> {
  const answer = await handled(route, input, { ...call, by: caller?.by ?? null, scope: caller?.grant ?? null }, res);
  if (caller) await auditChange(route.endpoint, caller, input, answer);
  return answer;
}

/** Calls the handler; one of an endpoint without authentication is declared with `ctx: null`. */
async function handled(route: Route, input: Input, call: Call, res: Response): Promise<unknown> {
  const { method, form, streams, limits: { answerMs = ANSWER_MS, hot = false } = {} } = route.endpoint;
  if (call.stream) return answerOf(route, input, call, res);
  // An answer that is read while it is sent takes as long as its connection; lookups by keys need no scope.
  if ((form.produces ?? streams) !== undefined || hot) return withinLimit(answerMs, () => answerOf(route, input, call, res));
  const over = new AbortController();
  // Each query of the request listens; Node takes more than ten listeners for a leak.
  setMaxListeners(0, over.signal);
  const end = (): void => over.abort(unavailable('The client disconnected'));
  const bounds = { deadline: performance.now() + answerMs, signal: method === 'get' ? over.signal : null };
  res.once('close', end);
  try {
    return await withinLimit(answerMs, () => withinRequest(bounds, () => answerOf(route, input, call, res)));
  } catch (error) {
    end();
    throw error;
  } finally {
    res.off('close', end);
  }
}

type Call = Parameters<NonNullable<Endpoint['handle']>>[0];

async function answerOf({ endpoint, response }: Route, input: Input, call: Call, res: Response): Promise<unknown> {
  const { ctx } = call;
  if (endpoint.form.list !== 'whole' || !ctx) return endpoint.handle?.(call);
  const large = new LargeAnswer(ctx);
  if (res.closed) large.over();
  else whenClosed(res, () => large.over());
  const rows = await endpoint.handle?.({ ...call, page: { ...call.page, room: (bytes) => large.room(bytes) } });
  return wholeAnswer(rows as Rows<unknown>, {
    limit: input.page.limit,
    check: (row) => z.parse(response, row),
    arrange: endpoint.form.arrange,
    cursorOf: (next) => nextCursor(endpoint, ctx, input, next),
    signal: large.signal,
  });
}

/** An answer with up to this many bytes of rows does not wait. */
const PIECE_BYTES = 262_144;

/** Limit for larger answers in memory at a time, and for further ones of projects that have hardly any. */
const ANSWERS = { most: 4, spare: 4 };

const placesOf = perCore<FairQueue, Pick<Core, 'config'>>(() => new FairQueue(ANSWERS));

/** An answer that may become large: it then waits for a place among large ones until it is sent, and for another for each piece of it; projects go round robin. */
class LargeAnswer {
  private bytes = 0;
  private readonly ending = new AbortController();
  private leave: (() => void) | null = null;

  constructor(private readonly ctx: Context) {}

  /** Resolves when rows of this many bytes may be parsed. */
  async room(bytes: number): Promise<void> {
    this.bytes += bytes;
    if (this.bytes < PIECE_BYTES) return;
    const { bytes: piece } = this;
    this.bytes = 0;
    if (!this.leave) await this.enter();
    await awaitLargeWork(this.ctx, piece);
  }

  /** Gives its place back, or the one that it waits for. */
  over(): void {
    this.ending.abort(unavailable('The client disconnected'));
    this.leave?.();
  }

  /** Aborted when it is over, sent or not. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  private async enter(): Promise<void> {
    this.leave = await placesOf(this.ctx.core).take(this.ctx.projectId);
    if (!this.signal.aborted) return;
    this.leave?.();
    throw this.signal.reason;
  }
}

class Replayed {
  constructor(readonly answer: unknown) {}
}

/** Reads the input, or replays a stored answer, also when the body would be refused by now. */
async function readOrReplay(endpoint: Endpoint, ctx: Context | null, raw: RawInput): Promise<Input | Replayed> {
  try {
    return readInput(endpoint, ctx, raw);
  } catch (refusal) {
    const idempotency = idempotencyOf(endpoint, raw);
    const answer: unknown =
      ctx && idempotency && typeof endpoint.idempotent === 'object' && (await endpoint.idempotent.replay(ctx, idempotency));
    if (!answer) throw refusal;
    return new Replayed(answer);
  }
}

function respond({ endpoint, response }: Route, ctx: Context | null, input: Input | null, answer: unknown, res: Response): void {
  if (answer instanceof Streamed) {
    pour(endpoint, answer, res);
    return;
  }
  if (endpoint.form.list === 'whole') {
    sendWhole(answer as WholeAnswer, res, (error) => noteError(res, error));
    return;
  }
  const { status, data, headers } = answer instanceof Reply ? (answer as Reply<unknown>) : reply(statusOf(endpoint), answer);
  res.status(status).set(headers);
  const body = successBody(endpoint, response, ctx, input, data);
  // Only operations of other protocols answer with nothing.
  if (body === undefined) res.end();
  else res.type('json').send(jsonText(body));
}

/** Streams an answer, or says 304 to a client that has it; past the first byte a failure can only be shown by cutting the connection. */
function pour(endpoint: Endpoint, { stream, headers }: Streamed, res: Response): void {
  const { form, streams = 'application/octet-stream' } = endpoint;
  res.status(statusOf(endpoint)).set({ 'Content-Type': form.produces ?? streams, ...headers });
  if (headers['ETag'] !== undefined && res.req.fresh) {
    stream.destroy();
    res.status(304).end();
    return;
  }
  pipeline(stream, res, (error) => {
    if (error) noteError(res, error);
  });
}

/** Answers a failure; what is our fault is left for the request's log line, with its cause. */
export function respondWithError(error: unknown, res: Response): void {
  const failure = toAppError(error);
  const status = STATUS[failure.code];
  if (status >= 500 && failure.code !== 'not_implemented') noteError(res, failure.cause ?? failure);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const { publicUrl, dialect } = stateOf(res);
  const foreign = dialect?.answer(failure, res.req.headers);
  res
    .status(foreign?.status ?? status)
    .set(failureHeaders(failure, publicUrl))
    .json(foreign?.body ?? errorBody(failure));
}
