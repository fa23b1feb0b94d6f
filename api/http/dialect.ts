import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '../../src/platform/core';

/** A protocol other than that of `/v1`, and how it reports failures. */
export interface Dialect {
  readonly prefix: `/compat/${string}` | '/mcp';
  /** Returns the status and the body of a failure. */
  readonly answer: (failure: AppError, headers: IncomingHttpHeaders) => { readonly status: number; readonly body: object };
}
