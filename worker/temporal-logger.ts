import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../src/platform/log';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Said of each worker that runs no workflow code, which is how the task queues are meant to be. */
const EXPECTED = /^No (workflows|Nexus services) registered/;

/** Returns the SDK's own messages, in our log; its everyday news is debug to us. */
export const temporalLogger = (log: Logger): DefaultLogger =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    log[EXPECTED.test(message) ? 'debug' : LEVELS[level]]({ ...meta }, message);
  });
