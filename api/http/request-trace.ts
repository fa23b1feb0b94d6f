import type { RequestHandler } from 'express';
import { tracing } from '../../src/platform/tracing';
import { stateOf, whenClosed } from './state';

/** Serves each request within a span, named by the pattern of its route: a path itself may hold anything. */
export const requestTrace: RequestHandler = ({ method, headers }, res, next) => {
  const sdk = tracing();
  if (!sdk) return next();
  sdk.request(method, headers, (ended) => {
    whenClosed(res, () => ended(stateOf(res).route ?? 'none', res.statusCode));
    next();
  });
};
