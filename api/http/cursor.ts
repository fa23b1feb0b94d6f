import { z } from 'zod';
import { invalid } from '../../src/platform/core';
import type { Position } from '../../src/platform/core';
import type { Secrets } from '../../src/platform/secrets';
import { wholeNumber } from './pieces';

/** The scope of a cursor: one list of one project, under the same filters. */
export interface CursorScope {
  readonly projectId: string;
  readonly list: string;
  readonly filters: unknown;
}

const cursorQuery = z
  .string()
  .meta({ pattern: '^[A-Za-z0-9_-]+$' })
  .optional()
  .meta({ description: '`nextCursor` of the page before, unchanged' });

const pageQuery = (most: number, fallback: number) => z.object({ limit: wholeNumber(1, most).default(fallback), cursor: cursorQuery });

/** Rows of a page of a whole list that is asked for by its cursor alone. */
export const WHOLE_PAGE = 1_000;

/** Query parameters of each kind of list, in addition to its filters. */
export const PAGE_QUERIES = {
  cursor: pageQuery(100, 50),
  inner: pageQuery(1_000, 100),
  whole: z.object({ limit: wholeNumber(1, WHOLE_PAGE).optional(), cursor: cursorQuery }),
} as const;

/** Events dated before 1970 have a negative time. */
const PAYLOAD = /^(-?\d{1,16})\.([A-Za-z0-9_:./-]{1,140})$/;
const SIGNATURE_LENGTH = 28;

const signed = (scope: CursorScope, payload: string): string =>
  JSON.stringify([scope.projectId, scope.list, canonical(scope.filters), payload]);

// Key order is the only freedom that a parsed filter object has.
const canonical = (filters: unknown): unknown =>
  Object.entries((filters ?? {}) as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));

/** Returns an opaque text that only `decodeCursor` with an equal scope takes back. */
export function encodeCursor(secrets: Secrets, scope: CursorScope, position: Position): string {
  const payload = `${position.at.getTime()}.${position.id}`;
  return Buffer.from(secrets.sign('cursor', signed(scope, payload)) + payload).toString('base64url');
}

/** Throws `validation_error` with `invalid_cursor` for a text that was not handed out for this list. `path`: the query parameter that it came in. */
export function decodeCursor(secrets: Secrets, scope: CursorScope, cursor: string, path = 'cursor'): Position {
  const text = Buffer.from(cursor.slice(0, 512), 'base64url').toString('latin1');
  const payload = text.slice(SIGNATURE_LENGTH);
  const [, at, id] = PAYLOAD.exec(payload) ?? [];
  const handedOut = Buffer.from(text, 'latin1').toString('base64url') === cursor;
  if (!handedOut || !at || !id || !secrets.verify('cursor', signed(scope, payload), text.slice(0, SIGNATURE_LENGTH))) {
    throw invalid(path, 'invalid_cursor', 'This cursor was not handed out for this list');
  }
  return { at: new Date(Number(at)), id };
}
