import type { RequestHandler } from 'express';
import type { Logger } from '../../src/platform/log';
import { describeFailure } from '../../src/platform/log';
import { isProbePath } from '../../src/platform/probes';
import { stateOf, whenClosed } from './state';

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
