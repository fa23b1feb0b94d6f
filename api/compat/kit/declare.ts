import { z } from 'zod';
import { AppError } from '../../../src/platform/core';
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

/** A method and a path as the other service writes them. */
type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** The path of another service's API, and the header of its keys where it has one of its own. */
interface Service {
  readonly prefix: `/compat/${string}`;
  readonly keyHeader?: string;
}

const params = z.record(z.string(), z.string());
const query = z.record(z.string(), z.unknown());

/** Returns what declares the operations of another service's API. */
export function declarationsFor({ prefix, keyHeader }: Service) {
  /**
   * Declares an operation. `as` names the operation of `/v1` that does the same: keys open both or neither, and the limits are the same. Bodies are not checked here: the operations of `/v1` check
   * what is made of them.
   */
  function declare(route: Route, as: string, handle: Handle, ownLimits?: Endpoint['limits']): Ungrouped {
    const { access, idempotent, summary, ...same } = operation(as);
    const limits = ownLimits ?? same.limits;
    const [method, path] = route.split(' ') as [Uppercase<Endpoint['method']>, string];
    const here = `${method} ${prefix}${path}` as const;
    return foreignEndpoint(here, {
      operationId: here,
      summary,
      ...(access === 'sending' && { access }),
      request: { params, query, body: z.unknown() },
      response: z.unknown(),
      ...(limits && { limits }),
      ...(idempotent && { idempotent: true as const }),
      ...(keyHeader !== undefined && { keyHeader }),
      handle: ({ ctx, by, scope, params: given, query: asked, body, idempotency, incoming }) => {
        if (!ctx || by === null) throw new Error(`${here} needs a key`);
        return handle({ ctx, by, scope, params: given, query: asked, body, idempotency, incoming });
      },
    });
  }
  /** Declares an operation that has no counterpart, with what to do instead. */
  const absent = (route: Route, instead: string): Ungrouped =>
    declare(route, 'listEmails', () => Promise.reject(new AppError('not_found', `This operation does not exist here. ${instead}`)));
  return { declare, absent };
}
