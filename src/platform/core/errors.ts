/** The names by which this service reports failure. The API alone knows which HTTP status each one gets. */
export type ErrorCode =
  | 'validation_error'
  | 'send_failed'
  | 'ambiguous_api_key'
  | 'unauthorized'
  | 'forbidden'
  | 'approval_needed'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_state'
  | 'conflict'
  | 'in_use'
  | 'reentry_refused'
  | 'filter_not_matched'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'payments_disabled'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'limit_reached'
  | 'limit_exceeded'
  | 'internal_error'
  | 'not_implemented'
  | 'unavailable';

/** The machine-readable cause of one fault in a request (docs/errors.md, Details; of `send_failed`: docs/sending.md). */
export type DetailCode =
  | 'invalid_type'
  | 'invalid_string'
  | 'invalid_enum_value'
  | 'too_small'
  | 'too_big'
  | 'unrecognized_keys'
  | 'invalid_cursor'
  | 'invalid_json'
  | 'invalid_date'
  | 'invalid_header'
  | 'invalid_combination'
  | 'reserved_name'
  | 'invalid_condition'
  | 'invalid_graph'
  | 'not_found'
  | 'invalid_template'
  | 'unverified_domain'
  | 'blocked_url'
  | 'template_not_found'
  | 'no_from_address'
  | 'template_render_failed';

export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  readonly code: DetailCode;
}

/** Thrown by a service when the request is at fault; any other error is a defect of the platform. */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** Response headers that belong to the failure, e.g. `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    options: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, { cause: options.cause });
    this.headers = options.headers ?? {};
  }
}

export const notFound = (what: string): AppError => new AppError('not_found', `${what} not found`);

export const invalidState = (message: string): AppError => new AppError('invalid_state', message);

/** Returns a 422 with one detail. */
export const invalid = (path: string, code: DetailCode, message: string): AppError =>
  new AppError('validation_error', message, [{ path, code, message }]);

/** Returns a 422 with every fault; the first of them is its text. */
export function invalidRequest(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  const where = first?.path ? `${first.path}: ` : '';
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new AppError('validation_error', `${where}${first?.message ?? 'Invalid request'}${more}`, details);
}

/** Returns a 422 `send_failed` with one detail, whose path is empty (docs/sending.md). */
export const sendFailed = (code: DetailCode, message: string): AppError =>
  new AppError('send_failed', message, [{ path: '', code, message }]);

export const conflict = (message: string): AppError => new AppError('conflict', message);

/** A token bucket after a request. */
export interface RateState {
  /** Units that it holds when it is full. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full. */
  readonly reset: number;
}

/** Returns the headers `RateLimit-Limit`, `-Remaining` and `-Reset` (docs/sending.md and docs/errors.md, Rate limit). */
export const rateHeaders = ({ limit, remaining, reset }: RateState): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(reset),
});

/** Returns a 429 with the bucket's state and `Retry-After`, in whole seconds. */
export const rateLimited = (message: string, state: RateState, seconds: number): AppError =>
  new AppError('rate_limited', message, [], { headers: { ...rateHeaders(state), 'Retry-After': String(seconds) } });

/** The size of a token bucket, and the rate at which it fills. */
export interface Refill {
  readonly burst: number;
  readonly perSecond: number;
}

/** Returns the state of a bucket that holds `units`. A part of a unit does not count as remaining. */
export const stateOf = ({ burst, perSecond }: Refill, units: number): RateState => ({
  limit: burst,
  remaining: Math.floor(units),
  reset: Math.ceil((burst - units) / perSecond),
});

/** Returns the whole seconds until the missing units are available, at least 1. */
export const secondsUntil = ({ perSecond }: Refill, missing: number): number => Math.max(1, Math.ceil(missing / perSecond));
