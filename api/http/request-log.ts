import type { RequestHandler } from 'express';
import type { Logger } from '../../src/platform/log';
import { describeFailure } from '../../src/platform/log';
import { isProbePath, PROBE_PATHS } from '../../src/platform/probes';
import { stateOf, whenClosed } from './state';
import { tracing } from '../../src/platform/tracing';
import { metrics } from '../../src/platform/metrics';

/** Logs one line for each request, when it has ended: its route, its project and its outcome, and no text of the caller's. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const begun = performance.now();
    whenClosed(res, () => {
      const { requestId, route, projectId, error } = stateOf(res);
      const status = res.statusCode;
      const level = levelOf(status, error, route);
      if (!log.isLevelEnabled(level)) return;
      log[level](
        {
          requestId,
          method: req.method,
          route,
          status,
          ms: Math.round((performance.now() - begun) * 10) / 10,
          ...(projectId !== null && { projectId }),
          ...(!res.writableFinished && { cutOff: true }),
          ...(error !== null && { failure: describeFailure(error) }),
        },
        'request',
      );
    });
    next();
  };
}

/** Probes come every few seconds, and what they see is in the log already; one page of the console loads dozens of files. */
const isQuiet = (route: string | null, error: unknown): boolean =>
  route !== null && (isProbePath(route) || (route === '/console' && error === null));

// An outage mends itself; a defect wants a person.
function levelOf(status: number, error: unknown, route: string | null): 'debug' | 'info' | 'warn' | 'error' {
  if (isQuiet(route, error)) return 'debug';
  if (error === null) return 'info';
  return status === 503 ? 'warn' : 'error';
}

/** Serves each request within a span, named by the pattern of its route: a path itself may hold anything. */
export const requestTrace: RequestHandler = ({ method, headers }, res, next) => {
  const sdk = tracing();
  if (!sdk) return next();
  sdk.request(method, headers, (ended) => {
    whenClosed(res, () => ended(stateOf(res).route ?? 'none', res.statusCode));
    next();
  });
};

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
