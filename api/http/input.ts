import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Context, ErrorDetail, PageRequest, Position } from '../../src/platform/core';
import { invalidRequest } from '../../src/platform/core';
import { PAGE_QUERIES, WHOLE_PAGE, decodeCursor, encodeCursor } from './cursor';
import type { CursorScope } from './cursor';
import type { Endpoint } from './endpoint';
import { fingerprintOf, malformedKey, readIdempotencyKey } from './idempotency';
import type { Idempotency } from './idempotency';
import { textOf } from './issue-texts';
import { MAX_DETAILS, detailsOf } from './issues';
import { removeReservedKeys } from './json-guard';
import { bracketedQueries } from './unknown-queries';

/** A request as it came: decoded path parameters, query, and the body's JSON. */
export interface RawInput {
  readonly incoming: IncomingMessage;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** A request whose parts were checked. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly page: PageRequest;
  readonly idempotency: Idempotency | null;
}

const FIRST_PAGE: PageRequest = { limit: 50, after: null };

/** Collects the faults of all parts of a request, so that one answer names them all. */
class Faults {
  readonly details: ErrorDetail[] = [];

  parse(schema: z.ZodType | undefined, value: unknown): unknown {
    if (!schema) return undefined;
    const parsed = schema.safeParse(value, { error: textOf });
    if (parsed.success) return parsed.data;
    this.details.push(...detailsOf(parsed.error, value, schema));
    return undefined;
  }

  throwIfAny(): void {
    if (this.details.length > 0) {
      throw invalidRequest(this.details.slice(0, MAX_DETAILS));
    }
  }
}

// A cursor's scope is all that decides what the list holds.
const scopeOf = (e: Endpoint, ctx: Context, input: Pick<Input, 'params' | 'query'>): CursorScope => ({
  projectId: ctx.projectId,
  list: e.operationId,
  filters: { ...(input.params as object | undefined), ...(input.query as object | undefined) },
});

/** The body of an operation that takes none. */
const NoBody = z.strictObject({});

function bodySchema(e: Endpoint, ctx: Context | null): z.ZodType | undefined {
  if (ctx?.keyKind === 'public' && e.request?.publicBody) return e.request.publicBody;
  return e.request?.body ?? (e.form.takes ? undefined : NoBody);
}

/** Checks all parts of a request against the declaration. Throws `validation_error` with every fault found. */
export function readInput(e: Endpoint, ctx: Context | null, raw: RawInput): Input {
  const { request = {}, form } = e;
  const faults = new Faults();
  const params = faults.parse(request.params, raw.params);
  const query = faults.parse(request.query, raw.query);
  const paging = form.list ? (faults.parse(PAGE_QUERIES[form.list], raw.query) as Paging | undefined) : undefined;
  faults.details.push(...bracketedQueries(e, raw.query as object));
  const key = keyOf(e, raw);
  if (key === undefined) faults.details.push(malformedKey);
  if (request.body) faults.details.push(...removeReservedKeys(raw.body));
  const body = faults.parse(bodySchema(e, ctx), raw.body);
  if (request.furtherFaults && (request.params || faults.details.length > 0)) faults.details.push(...request.furtherFaults(raw.body));
  faults.throwIfAny();
  return {
    params,
    query,
    body,
    page: ctx && paging ? pageOf(paging, ctx, scopeOf(e, ctx, { params, query })) : FIRST_PAGE,
    idempotency: idempotencyOf(e, raw),
  };
}

const keyOf = (e: Endpoint, { incoming }: RawInput): string | null | undefined => (e.idempotent ? readIdempotencyKey(incoming) : null);

/** Reads the `Idempotency-Key`; null without one, or with a malformed one. */
export function idempotencyOf(e: Endpoint, raw: RawInput): Idempotency | null {
  const key = keyOf(e, raw);
  if (!key) return null;
  const operation = [e.operationId, ...Object.values((raw.params ?? {}) as Record<string, string>)].join(' ');
  return { operation, key, fingerprint: fingerprintOf(raw.body) };
}

type Paging = z.output<(typeof PAGE_QUERIES)[keyof typeof PAGE_QUERIES]>;

// Without limit and cursor a whole list comes whole: without end.
function pageOf({ limit, cursor }: Paging, ctx: Context, scope: CursorScope): PageRequest {
  if (cursor === undefined) return { limit: limit ?? Number.POSITIVE_INFINITY, after: null };
  return { limit: limit ?? WHOLE_PAGE, after: decodeCursor(ctx.core.secrets, scope, cursor) };
}

/** Returns the cursor of the page that follows, or null. */
export const nextCursor = (e: Endpoint, ctx: Context, input: Input, next: Position | null): string | null =>
  next && encodeCursor(ctx.core.secrets, scopeOf(e, ctx, input), next);
