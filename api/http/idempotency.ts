import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ErrorDetail } from '../../src/platform/core';

/**
 * Identifies a request: the endpoint with its path parameters, the caller's key, and a hash of the canonical JSON of the body as received.
 */
export interface Idempotency {
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

const KEY = /^[\x20-\x7e]{1,255}$/;
const HEADER = 'Idempotency-Key';

export const malformedKey: ErrorDetail = { path: HEADER, code: 'invalid_string', message: 'Must be 1 to 255 printable ASCII characters' };

/** Returns the header's value; null when there is none, undefined when it is malformed. */
export function readIdempotencyKey(incoming: IncomingMessage): string | null | undefined {
  const key = incoming.headers['idempotency-key'];
  if (key === undefined) return null;
  return typeof key === 'string' && KEY.test(key) ? key : undefined;
}

const inKeyOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Hashes a body, ignoring the order of its keys. */
export const fingerprintOf = (body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(body ?? null, inKeyOrder))
    .digest('base64url');
