import type { components } from './schema.ts';

/** Every code that a failure may have. */
export type ErrorCode = components['schemas']['Error']['code'];

/** One fault of a request. */
export type ErrorDetail = components['schemas']['ErrorDetail'];

/** The failure of a call. */
export class LettermillError extends Error {
  override readonly name: string = 'LettermillError';
}

/** No answer came, or none that could be read to its end: the network, or the time that the call may take. */
export class ConnectionError extends LettermillError {
  override readonly name = 'ConnectionError';
}

interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly helpUrl: string | null;
}

/** The service answered with a failure. Branch on `code`. */
export class ApiError extends LettermillError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** Every fault of the request; empty unless the code is `validation_error` or `send_failed`. */
  readonly details: readonly ErrorDetail[];
  /** Name it when you ask for help. */
  readonly requestId: string | null;
  /** When it is worth trying again. */
  readonly retryAfterSeconds: number | null;
  /** The paragraph of the guides on this code. */
  readonly helpUrl: string | null;

  constructor({ message, ...failure }: Failure) {
    super(message);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.helpUrl = failure.helpUrl;
  }
}

/** 422: the request is not valid, or the message cannot be sent; `details` says why. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}

/** 429: a rate or a monthly limit is used up, and nothing was done. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 401 and 403: the key is not good for this. */
export class KeyError extends ApiError {
  override readonly name = 'KeyError';
}

const KINDS: Readonly<Record<number, typeof ApiError>> = { 401: KeyError, 403: KeyError, 422: ValidationError, 429: RateLimitError };

interface ErrorBody {
  readonly error?: string;
  readonly code?: ErrorCode;
  readonly details?: readonly ErrorDetail[];
}

function headersOf({ headers }: Response): Pick<Failure, 'requestId' | 'retryAfterSeconds' | 'helpUrl'> {
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    helpUrl: /<([^>]+)>; *rel="?help/.exec(headers.get('link') ?? '')?.[1] ?? null,
  };
}

/** Resolves to the error of an answer; one that is not the service's own, of a proxy between, counts as `unavailable` or `internal_error`. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = ((await response.json().catch(() => null)) ?? {}) as ErrorBody;
  const Kind = KINDS[response.status] ?? ApiError;
  return new Kind({
    status: response.status,
    code: body.code ?? (response.status === 503 ? 'unavailable' : 'internal_error'),
    message: body.error ?? `The service answered ${response.status}`,
    details: body.details ?? [],
    ...headersOf(response),
  });
}
