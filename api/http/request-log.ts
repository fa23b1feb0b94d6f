import type { RequestHandler } from 'express';
import type { Logger } from '../../src/log';
import { stateOf } from './state';

const SECRETS = /\b(sk|pk|whsec)_[\w+/=]+|[^\s"'<>{}:=]+@[^\s"'<>{},]+/g;

const scrub = (text: string): string => text.replaceAll(SECRETS, '[redacted]');

/** An error and its causes without what a driver may have put into it: duplicate keys, for one, carry the values. */
function describe(error: unknown, depth = 4): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message.replace(/dup key:.*/s, 'dup key')),
    stack: scrub((error.stack ?? '').split('\n').slice(1, 12).join('\n')),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.cause !== undefined && depth > 0 && { cause: describe(error.cause, depth - 1) }),
  };
}

/** One line for each request, when it has ended: what was asked of whom and how it went, and no text of the caller's. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const begun = performance.now();
    res.once('close', () => {
      const { requestId, route, projectId, error } = stateOf(res);
      const status = res.statusCode;
      const level = levelOf(status, error);
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
          ...(error !== null && { failure: describe(error) }),
        },
        'request',
      );
    });
    next();
  };
}

/** An outage mends itself; a defect wants a person. */
function levelOf(status: number, error: unknown): 'info' | 'warn' | 'error' {
  if (error === null) return 'info';
  return status === 503 ? 'warn' : 'error';
}
