import { AsyncLocalStorage } from 'node:async_hooks';

/** What bounds the queries of a request that is being answered. */
export interface RequestScope {
  /** By `performance.now()`: until then its caller waits. */
  readonly deadline: number;
  /** Set for read-only requests: aborts their queries when the client is gone or the time is up. */
  readonly signal: AbortSignal | null;
  /** Whether the handler has ended: what it leaves behind is no part of the request. */
  ended: boolean;
}

const scopes = new AsyncLocalStorage<RequestScope | null>();

/** Returns the request that the current code works for; null outside requests, and for work shared by several. */
export function requestScope(): RequestScope | null {
  const scope = scopes.getStore();
  return scope && !scope.ended ? scope : null;
}

/** Does the work of a request. Queries that it makes are bounded (`boundQueries`) until it ends. */
export async function withinRequest<T>(bounds: Omit<RequestScope, 'ended'>, work: () => Promise<T>): Promise<T> {
  const scope = { ...bounds, ended: false };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.ended = true;
  }
}

/** Does what others wait for as well: the first one's end is not to be theirs. */
export const outsideRequests = <T>(work: () => T): T => scopes.run(null, work);
