import type { RequestHandler } from 'express';
import { metrics } from '../../src/platform/metrics';
import { stateOf } from './state';

/** Counts each request when it has ended, by the pattern of its route: a path itself may hold anything. */
export const requestMetrics: RequestHandler = ({ method }, res, next) => {
  const began = performance.now();
  metrics.httpInFlight.inc();
  res.once('close', () => {
    const route = stateOf(res).route ?? 'none';
    metrics.httpInFlight.dec();
    metrics.httpRequests.inc({ method, route, status: res.statusCode });
    metrics.httpSeconds.observe({ method, route }, (performance.now() - began) / 1_000);
  });
  next();
};
