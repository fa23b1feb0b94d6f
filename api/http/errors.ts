import { AppError } from '../../src/platform/core';
import type { ErrorCode } from '../../src/platform/core';
import { MAX_DETAILS } from './issues';

export const STATUS: Readonly<Record<ErrorCode, number>> = {
  ambiguous_api_key: 400,
  unauthorized: 401,
  forbidden: 403,
  approval_needed: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid_state: 409,
  conflict: 409,
  in_use: 409,
  reentry_refused: 409,
  filter_not_matched: 409,
  limit_exceeded: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  payments_disabled: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  send_failed: 422,
  rate_limited: 429,
  limit_reached: 429,
  internal_error: 500,
  not_implemented: 501,
  unavailable: 503,
};

/** Returns the headers of a failure: its own, and where the guide explains its code (RFC 8288). */
export const failureHeaders = ({ code, headers }: AppError, publicUrl: string): Readonly<Record<string, string>> => ({
  ...headers,
  Link: `<${publicUrl}/docs/guides/errors#${code}>; rel="help"`,
});

export const unauthorized = (message: string): AppError =>
  new AppError('unauthorized', message, [], { headers: { 'WWW-Authenticate': 'Bearer' } });

/** Returns a 503 that says when to try again. */
export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('unavailable', message, [], { cause, headers: { 'Retry-After': '2' } });

interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly cause?: unknown;
  /** Result of a bulk write, or the document of a reply. */
  readonly errorResponse?: unknown;
}

const UNREACHABLE =
  /^Mongo(ose)?(ServerSelection|Network|NetworkTimeout|NotConnected|TopologyClosed|PoolCleared|PoolClosed|ConnectionClosed|WaitQueueTimeout|OperationTimeout)\w*Error$/;
const POOL = /^(PoolCleared|PoolClosed|WaitQueueTimeout)\w*Error$|^PoolClearedOnNetworkError$/;
const NOT_CONNECTED = /before initial connection is complete|buffering timed out/;
/**
 * Node is recovering, shutting down, interrupted or no longer primary, or took longer than it was given; or what it knew of a cursor or a transaction is
 * gone, or another transaction is in the way, be it that of a connection that was lost, which lasts for a minute. MongoDB error codes reference.
 */
const NOT_NOW: ReadonlySet<unknown> = new Set([6, 7, 24, 43, 50, 89, 91, 112, 189, 246, 251, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

function isMongoOutage({ name, message, code }: Failure): boolean {
  const kind = typeof name === 'string' ? name : '';
  if (UNREACHABLE.test(kind) || POOL.test(kind)) return true;
  if (kind === 'MongooseError') return typeof message === 'string' && NOT_CONNECTED.test(message);
  return kind.startsWith('Mongo') && typeof code === 'number' && NOT_NOW.has(code);
}

// Services wrap what they catch; the reason may be a few causes deep.
function hasOutage(error: unknown, depth = 5): boolean {
  if (typeof error !== 'object' || error === null || depth === 0) return false;
  const { cause, errorResponse } = error as Failure;
  return isMongoOutage(error) || hasOutage(cause, depth - 1) || hasOutage(errorResponse, depth - 1);
}

/** Errors by body-parser's `type` (docs: body-parser, Errors). */
const BODY_ERRORS: Readonly<Record<string, () => AppError>> = {
  'entity.too.large': () => new AppError('payload_too_large', 'The body is too large'),
  'encoding.unsupported': () => new AppError('unsupported_media_type', 'This Content-Encoding is not supported'),
  'charset.unsupported': () => new AppError('unsupported_media_type', 'Send the body in UTF-8'),
  'request.size.invalid': () => badBody('The body is not as long as it says'),
  'request.aborted': () => badBody('The body ended early'),
};

const badBody = (message: string): AppError => new AppError('validation_error', message, [{ path: '', code: 'invalid_json', message }]);

/** Turns what a parser of Express fails with into the fault of the body. What has no `type` comes from decompressing. */
export function bodyFault(error: unknown): AppError {
  const { type } = error as Failure;
  const known = typeof type === 'string' ? BODY_ERRORS[type] : undefined;
  return known?.() ?? badBody('The body is not compressed as it says');
}

/** Turns anything thrown into an `AppError`, which has an answer. A defect of ours becomes a bare `internal_error`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (hasOutage(error)) return unavailable('The database cannot answer now; try again', error);
  return new AppError('internal_error', 'Something went wrong on our side', [], { cause: error });
}

/** Returns the body of a failure. */
export const errorBody = ({ code, message, details }: AppError) => ({
  success: false,
  error: message,
  code,
  ...((code === 'validation_error' || code === 'send_failed') && { details: details.slice(0, MAX_DETAILS) }),
});
