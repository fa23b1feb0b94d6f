import type { ErrorCode } from '../../src/platform/core';
import type { Endpoint } from '../http/endpoint';
import { STATUS } from '../http/errors';
import { refusesScopes } from '../http/scopes';
import type { Components, Json } from './components';
import { pascal } from './pascal';

/** The meaning of each error code, and what to do about it. */
export const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  ambiguous_api_key: 'two `Authorization` headers, or two headers with different keys. Send one.',
  unauthorized: 'no key, or a key that is malformed, unknown, revoked, expired or of the wrong kind. Do not retry with the same key.',
  forbidden:
    'the scope of the key (`x-key-scopes`) or the role of the person (`x-roles`) does not allow this operation. Use a key with another scope, or ask an owner of the project.',
  approval_needed: 'it reaches more recipients than the project allows without an approval. Request one with `POST /v1/approvals`.',
  not_found: 'no such id exists in the project of the key.',
  method_not_allowed: 'the path accepts other methods; `Allow` lists them.',
  invalid_state: 'the current state of the resource does not allow this; `error` names the state.',
  conflict: 'it exists already.',
  in_use: 'something else still uses it; `error` says what.',
  reentry_refused: 'the workflow does not allow this contact to enter again.',
  filter_not_matched: "the contact does not match the filter of the workflow's trigger.",
  limit_exceeded: 'the project has reached the maximum number of these.',
  idempotency_key_reused: 'the same `Idempotency-Key` was used with another body. Use a new key for a new request.',
  idempotency_in_progress: 'the first request with this `Idempotency-Key` is still running. Retry with the same key.',
  payments_disabled: 'no payment provider is configured.',
  payload_too_large: "the body is over the operation's limit.",
  unsupported_media_type: 'the body has a type that the operation does not accept, is not UTF-8, or has an unknown `Content-Encoding`.',
  validation_error: 'the request is not valid; `details` lists every error.',
  send_failed: 'the message cannot be sent as it is; the one entry of `details` names the cause.',
  rate_limited: 'the rate limit is reached; nothing was done. Retry after `Retry-After` seconds.',
  limit_reached: 'the monthly limit of the project is reached.',
  internal_error: 'an error on our side. Retry later, and include `X-Request-Id` when you report it.',
  not_implemented: 'the operation is not implemented yet.',
  unavailable: 'the service is temporarily unavailable. Retry after `Retry-After` seconds.',
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
