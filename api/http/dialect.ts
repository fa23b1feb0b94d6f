import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '../../src/platform/core';

/** Another protocol than that of `/v1`, at a path of ours: how it tells failures. */
export interface Dialect {
  readonly prefix: `/compat/${string}` | '/mcp';
  /** Returns the status and the body of a failure. */
  readonly answer: (failure: AppError, headers: IncomingHttpHeaders) => { readonly status: number; readonly body: object };
}
