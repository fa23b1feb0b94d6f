import { z } from 'zod';
import { foreignEndpoint } from '../../http/endpoint';
import type { Endpoint, Ungrouped } from '../../http/endpoint';
import type { Idempotency } from '../../http/idempotency';
import type { Asker } from '../../http/perform';
import { operation } from './operations';
import type { Members } from './members';

/** A request to an operation of another service's API. */
export interface Foreign extends Asker {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Members;
  readonly body: unknown;
  readonly idempotency: Idempotency | null;
}

export type Handle = (request: Foreign) => Promise<unknown>;

interface Options {
  readonly limits?: Endpoint['limits'];
  readonly keyHeader?: string;
}

const params = z.record(z.string(), z.string());
const query = z.record(z.string(), z.unknown());

type Route = Parameters<typeof foreignEndpoint>[0];

/**
 * Declares an operation of another service's API. `as` names the operation of `/v1` that does the same: keys open both or neither. Every body is taken as it comes;
 * the operations of `/v1` check what is made of it.
 */
export function foreign(route: Route, as: string, handle: Handle, { limits, keyHeader }: Options = {}): Ungrouped {
  const { access, idempotent, summary } = operation(as);
  return foreignEndpoint(route, {
    operationId: route,
    summary,
    ...(access === 'sending' && { access }),
    request: { params, query, body: z.unknown() },
    response: z.unknown(),
    ...(limits && { limits }),
    ...(idempotent && { idempotent: true as const }),
    ...(keyHeader !== undefined && { keyHeader }),
    handle: ({ ctx, by, scope, params: given, query: asked, body, idempotency, incoming }) => {
      if (!ctx || by === null) throw new Error(`${route} needs a key`);
      return handle({ ctx, by, scope, params: given, query: asked, body, idempotency, incoming });
    },
  });
}
