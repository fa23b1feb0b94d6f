import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../src/log';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** The SDK's own messages, in our log; its everyday news is debug to us. */
export const temporalLogger = (log: Logger): DefaultLogger =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    log[LEVELS[level]]({ ...meta }, message);
  });
