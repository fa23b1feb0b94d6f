import type { ErrorCode } from '../../src/platform/core';
import type { Endpoint } from '../http/endpoint';
import { STATUS } from '../http/errors';
import { refusesScopes } from '../http/scopes';
import type { Components, Json } from './components';
import { pascal } from './pascal';

/** What each code says, and what to do about it. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  ambiguous_api_key: 'two `Authorization` headers, or two headers with different keys. Send one.',
  unauthorized: 'no key, or one that is malformed, unknown, revoked, expired or of the wrong kind. Do not try again with the same key.',
  forbidden: 'the scope of the key does not open this operation (`x-key-scopes`). Use a key of another scope.',
  not_found: 'there is nothing of this id in the project of the key.',
  method_not_allowed: 'the path takes other methods; `Allow` names them.',
  invalid_state: 'the resource is not in a state in which this can be done; `error` says which one it is in.',
  conflict: 'it exists already.',
  in_use: 'something else still refers to it; `error` says what.',
  reentry_refused: 'the workflow does not take this contact a second time.',
  filter_not_matched: "the contact does not match the filter of the workflow's trigger.",
  limit_exceeded: 'the project has as many of these as it may have.',
  idempotency_key_reused: 'the same `Idempotency-Key` came with another body. Take a new key for a new request.',
  idempotency_in_progress: 'the first request with this `Idempotency-Key` still runs. Try again with the same key.',
  payments_disabled: 'no payment provider is configured.',
  payload_too_large: "the body is over the operation's limit.",
  unsupported_media_type: 'the body is not of a type that the operation takes, not in UTF-8, or in an unknown `Content-Encoding`.',
  validation_error: 'the request is not valid; `details` names every fault.',
  send_failed: 'the message cannot be sent as it is; the one entry of `details` names the cause.',
  rate_limited: 'the rate limit is used up, nothing was done. Try again after `Retry-After` seconds.',
  limit_reached: "the month's limit of the project is used up.",
  internal_error: 'a fault of ours. Try again later, and name `X-Request-Id` when you report it.',
  not_implemented: 'the operation is declared and not built yet.',
  unavailable: 'the service cannot answer now. Try again after `Retry-After` seconds.',
};

const RATE_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const RATED: ReadonlySet<number> = new Set([403, 409, 429]);
const WITH_DETAILS: ReadonlySet<ErrorCode> = new Set(['validation_error', 'send_failed']);

const idempotencyFailures = (e: Endpoint): readonly ErrorCode[] =>
  e.idempotent ? ['idempotency_key_reused', 'idempotency_in_progress'] : [];

const keyFailures = (e: Endpoint): readonly ErrorCode[] =>
  e.access === 'none' ? [] : ['unauthorized', 'ambiguous_api_key', 'rate_limited', ...(refusesScopes(e) ? (['forbidden'] as const) : [])];

/** Returns the failures that follow from the declaration, and those it names. */
function codesOf(e: Endpoint): Set<ErrorCode> {
  const ofBody: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type', 'validation_error'];
  const codes: ErrorCode[] = [
    ...(e.errors ?? []),
    ...idempotencyFailures(e),
    ...keyFailures(e),
    ...ofBody,
    'internal_error',
    'unavailable',
  ];
  if (e.request?.params && !e.request.neverMissing) codes.push('not_found');
  if (!e.handle) codes.push('not_implemented');
  return new Set(codes);
}

/** Returns the failures of an operation by status: each a component that all operations share which fail so. */
export function failures(components: Components, e: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(e)) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, failure(components, e, status, codes)]));
}

function failure(components: Components, e: Endpoint, status: number, unsorted: readonly ErrorCode[]): Json {
  const codes = [...unsorted].sort();
  const rated = e.access !== 'none' && RATED.has(status);
  const name = codes.map(pascal).join('Or');
  components.responses[name] ??= {
    description: codes.map((code) => `- \`${code}\`: ${MEANINGS[code]}`).join('\n'),
    headers: Object.fromEntries(headersOf(status, rated).map((header) => [header, { $ref: `#/components/headers/${header}` }])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
  return { $ref: `#/components/responses/${name}` };
}

const headersOf = (status: number, rated: boolean): readonly string[] => [
  'X-Request-Id',
  'Link',
  ...(rated ? RATE_HEADERS : []),
  ...(status === 429 || status === 503 ? ['Retry-After'] : []),
];

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replaceAll('`', '').replace(/[.;].*$/, '');

const exampleOf = (code: ErrorCode): Json => ({
  success: false,
  error: sentence(MEANINGS[code]),
  code,
  ...(WITH_DETAILS.has(code) && { details: [DETAILS[code as keyof typeof DETAILS]] }),
});

const DETAILS = {
  validation_error: { path: 'email', message: 'Not an e-mail address', code: 'invalid_string' },
  send_failed: { path: '', message: 'No from address: give `from`, or verify a domain', code: 'no_from_address' },
};
