import type { Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '../../src/platform/core';

/** A protocol other than that of `/v1`, and how it reports failures. */
export interface Dialect {
  readonly prefix: `/compat/${string}` | '/mcp';
  /** Returns the status and the body of a failure. */
  readonly answer: (failure: AppError, headers: IncomingHttpHeaders) => { readonly status: number; readonly body: object };
}

/** The state of a request beyond its content; the log line is built from it. */
export interface RequestState {
  readonly requestId: string;
  /** Base of links in answers. */
  readonly publicUrl: string;
  /** The protocol of the path; null for that of `/v1`. */
  readonly dialect: Dialect | null;
  /** The path's template: the path itself may hold an address. */
  route: string | null;
  /** The project whose tracking host was asked; null at any other host. */
  trackedProject: string | null;
  projectId: string | null;
  error: unknown;
  /** Callbacks for the close of the response. */
  readonly whenClosed: (() => void)[];
}

/** Gives a request its state, before anything else sees it. */
export function beginState(res: Response, requestId: string, publicUrl: string, dialect: Dialect | null): void {
  res.locals.state = {
    requestId,
    publicUrl,
    dialect,
    route: null,
    trackedProject: null,
    projectId: null,
    error: null,
    whenClosed: [],
  } satisfies RequestState;
}

/** Returns the state that `beginState` gave. */
export const stateOf = (res: Response): RequestState => res.locals.state as RequestState;

/** Does something once the response is closed. All who ask share one listener: with a stream that is sent, a listener for each is more than Node takes for a leak. */
export function whenClosed(res: Response, work: () => void): void {
  const works = stateOf(res).whenClosed;
  if (works.length === 0) res.once('close', () => works.forEach((each) => each()));
  works.push(work);
}

/** Remembers what went wrong on our side, for the request's one log line. */
export function noteError(res: Response, error: unknown): void {
  stateOf(res).error = error;
}
