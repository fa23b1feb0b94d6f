import type { RequestHandler } from 'express';
import { metrics } from '../../src/platform/metrics';
import { PROBE_PATHS } from '../../src/platform/probes';
import { stateOf, whenClosed } from './state';

/**
 * Paths that orchestrators, load balancers and monitors request every few seconds: counting them would hide the figures of customers'
 * requests.
 */
const ASKED_BY_MACHINES: ReadonlySet<string> = new Set([...PROBE_PATHS, '/v1/health']);

/** Counts each request when it has ended, by the pattern of its route: a path itself may hold anything. */
export const requestMetrics: RequestHandler = ({ method, path }, res, next) => {
  if (ASKED_BY_MACHINES.has(path)) {
    next();
    return;
  }
  const began = performance.now();
  metrics.httpInFlight.inc();
  whenClosed(res, () => {
    const route = stateOf(res).route ?? 'none';
    metrics.httpInFlight.dec();
    metrics.httpRequests.inc({ method, route, status: res.statusCode });
    metrics.httpSeconds.observe({ method, route }, (performance.now() - began) / 1_000);
  });
  next();
};
