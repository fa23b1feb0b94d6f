import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '../../src/platform/core';

/** The API of another service, below a prefix of ours: how it tells failures. */
export interface Dialect {
  readonly prefix: `/compat/${string}`;
  /** Returns the status and the body of a failure. */
  readonly answer: (failure: AppError, headers: IncomingHttpHeaders) => { readonly status: number; readonly body: object };
}
