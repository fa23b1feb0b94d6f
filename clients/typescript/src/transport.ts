import { ApiError, ConnectionError, LettermillError, errorOf } from './errors.ts';
import { Pages } from './pages.ts';
import type { Page } from './pages.ts';
import { pause } from './pause.ts';

export interface LettermillOptions {
  /** A secret (`sk_…`) or test key (`sk_test_…`); in a browser a public key (`pk_…`). */
  readonly apiKey: string;
  /** Base URL of your Lettermill. */
  readonly baseUrl: string;
  /** Number of retries of a call that may be repeated; default 3. */
  readonly maxRetries?: number;
  /** Time limit of one attempt in milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Replaces the runtime's own `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  /** Two calls with the same key and body are one. One is made where it is needed and not given. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly file?: string | Blob | Uint8Array;
  /** The media type of the file. */
  readonly fileType?: string;
  /** Takes an Idempotency-Key, so that repeating it is safe. */
  readonly keyed?: boolean;
}

/** The part of an answer that is returned: the payload in the envelope, the whole JSON, the text, or the bytes. */
export type Unwrap = 'data' | 'json' | 'text' | 'bytes';

interface Envelope {
  readonly data: unknown;
  readonly nextCursor?: string | null;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

const READ: Readonly<Record<Unwrap, (response: Response) => Promise<unknown>>> = {
  data: async (response) => ((await response.json()) as Envelope).data,
  json: (response) => response.json(),
  text: (response) => response.text(),
  bytes: async (response) => new Uint8Array(await response.arrayBuffer()),
};

async function pauseOrGiveUp(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, signal);
  if (signal?.aborted) throw new ConnectionError('The call was aborted', { cause: signal.reason });
}

function parses(url: string): boolean {
  try {
    return new URL(url).protocol.startsWith('http');
  } catch {
    return false;
  }
}

interface Answered {
  readonly payload: unknown;
}

/** Carries requests: key, retries, limits of time, errors. */
export class Transport {
  private readonly options: LettermillOptions;

  constructor(options: LettermillOptions) {
    const { apiKey, baseUrl } = options as Partial<LettermillOptions>;
    if (!apiKey) throw new LettermillError('apiKey is missing: pass a key of your project, such as process.env.LETTERMILL_KEY');
    if (!baseUrl || !parses(baseUrl))
      throw new LettermillError('baseUrl is missing or not a URL: pass the URL of your Lettermill, such as https://mail.example.com');
    this.options = options;
  }

  async call(request: Request, unwrap: Unwrap, options: RequestOptions = {}): Promise<unknown> {
    const maxRetries = options.maxRetries ?? this.options.maxRetries ?? 3;
    const headers = this.headersOf(request, options);
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(request, headers, unwrap, options);
      if ('payload' in outcome) return outcome.payload;
      if (attempt >= maxRetries || options.signal?.aborted || !mayBeRepeated(request, outcome)) throw outcome;
      await pauseOrGiveUp(pauseOf(attempt, outcome), options.signal);
    }
  }

  pages(request: Request, options: RequestOptions = {}): Pages<unknown> {
    return new Pages(async (cursor): Promise<Page<unknown>> => {
      const query = { ...request.query, ...(cursor !== undefined && { cursor }) };
      const { data, nextCursor } = (await this.call({ ...request, query }, 'json', options)) as Envelope;
      const rows = (Array.isArray(data) ? data : (data as Envelope).data) as unknown[];
      return { rows, nextCursor: nextCursor ?? null };
    });
  }

  private headersOf({ body, fileType, keyed }: Request, { idempotencyKey }: RequestOptions): Headers {
    const headers = new Headers({
      Authorization: `Bearer ${this.options.apiKey}`,
      Accept: 'application/json, text/csv, application/octet-stream',
    });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (fileType !== undefined) headers.set('Content-Type', fileType);
    if (keyed) headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID());
    return headers;
  }

  /** Resolves to the answer, read to its end, or to the reason why there is none. */
  private async attempt(
    request: Request,
    headers: Headers,
    unwrap: Unwrap,
    options: RequestOptions,
  ): Promise<Answered | ApiError | ConnectionError> {
    const limit = AbortSignal.timeout(options.timeoutMs ?? this.options.timeoutMs ?? 60_000);
    const body = request.file ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
    try {
      const response = await (this.options.fetch ?? fetch)(this.urlOf(request), {
        method: request.method,
        headers,
        signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
        ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
      });
      return response.ok ? { payload: await READ[unwrap](response) } : await errorOf(response);
    } catch (cause) {
      return new ConnectionError(`No answer from ${new URL(this.options.baseUrl).host}`, { cause });
    }
  }

  private urlOf({ path, query = {} }: Request): string {
    const url = new URL(this.options.baseUrl.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query) as [string, string | number | boolean | undefined][])
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url.href;
  }
}

// 429 means that nothing was done; beyond that only what has no effect, or has it once, is repeated.
function mayBeRepeated({ method, keyed }: Request, failure: ApiError | ConnectionError): boolean {
  if (failure instanceof ApiError && failure.code === 'rate_limited') return true;
  if (method !== 'GET' && !keyed) return false;
  return failure instanceof ConnectionError || failure.status >= 500 || failure.code === 'idempotency_in_progress';
}

function pauseOf(attempt: number, failure: ApiError | ConnectionError): number {
  const asked = failure instanceof ApiError ? failure.retryAfterSeconds : null;
  const grown = FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random());
  return Math.min(asked === null ? grown : asked * 1_000, LONGEST_PAUSE_MS);
}
