import { AsyncLocalStorage } from 'node:async_hooks';

/** Limits for the queries of a request that is being answered. */
export interface RequestScope {
  /** End of the caller's wait, in the time of `performance.now()`. */
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

let underWay = 0;

/** Does the work of a request. Queries that it makes are bounded (`boundQueries`) until it ends. */
export async function withinRequest<T>(bounds: Omit<RequestScope, 'ended'>, work: () => Promise<T>): Promise<T> {
  const scope = { ...bounds, ended: false };
  underWay++;
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.ended = true;
    underWay--;
    // As long as it is enabled, Node follows each promise of the process (docs/decisions/0069).
    if (underWay === 0) scopes.disable();
  }
}

/** A request that takes longer than this is stuck, but for an upload, which takes as long as its sender does. */
export const ANSWER_MS = 30_000;

/** Reads for an answer that is sent while it is read: its queries are limited to the time of a whole request, and end with `signal`, when the client has left. */
export const readWhileSent = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  withinRequest({ deadline: performance.now() + ANSWER_MS, signal }, work);

/** Does what others wait for as well: the first one's end is not to be theirs. */
export const outsideRequests = <T>(work: () => T): T => (requestScope() ? scopes.run(null, work) : work());
