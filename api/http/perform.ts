import type { Context, PageRequest } from '../../src/platform/core';
import type { Grant } from '../../src/records/projects';
import { auditChange } from './audit';
import type { Endpoint } from './endpoint';
import { readInput } from './input';
import type { Input, RawInput } from './input';

/** A request to an operation of `/v1` from within the process: its parts in the form of `/v1`. */
export interface Asked {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The request that is being answered. */
export interface Asker extends Pick<RawInput, 'incoming'> {
  readonly ctx: Context;
  readonly by: string;
  readonly scope: Grant | null;
}

/** Checks a request by the operation's declaration, and returns it. Throws `validation_error`. */
export const checkedInput = (endpoint: Endpoint, { ctx, incoming }: Pick<Asker, 'ctx' | 'incoming'>, asked: Asked): Input => {
  const { params = {}, query = {}, body = {} } = asked;
  return readInput(endpoint, ctx, { incoming, params, query, body });
};

/** An operation's checked request, and what its handler answered. */
export interface Performed {
  readonly input: Input;
  readonly answer: unknown;
}

/** Does what an operation of `/v1` does, with its checks and its entry in the audit. `page` replaces the page that the request asks for. */
export async function performed(endpoint: Endpoint, asker: Asker, asked: Asked, page?: PageRequest): Promise<Performed> {
  const { ctx, by, scope, incoming } = asker;
  const input = checkedInput(endpoint, asker, asked);
  const position = page ?? input.page;
  const answer: unknown = await endpoint.handle?.({ ...input, page: position, ctx, by, scope, core: ctx.core, stream: null, incoming });
  await auditChange(endpoint, asker, input, answer);
  return { input, answer };
}
