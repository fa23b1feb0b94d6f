import pino from 'pino';
import type { DestinationStream, Logger, LoggerOptions } from 'pino';
import type { Config } from '../config';
import { describeFailure } from './log-failure';

export type { Logger } from 'pino';

/** Headers and fields that could carry a secret or an address; pino replaces their values. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
  '*.email',
  '*.to',
  '*.html',
  '*.text',
  '*.secret',
  'err.command',
];

/** On a terminal, a line clears what the platform says while it starts: the rest of the line in which it is written. */
const TIME = process.stdout.isTTY ? "'\u001b[K'HH:MM:ss.l" : 'HH:MM:ss.l';

/**
 * Creates the logger. ERROR: a person must act. WARN: something was mended or refused. INFO: life of the process. JSON lines in production, readable otherwise; lines go to
 * `destination` where one is given.
 */
export function createLogger(config: Pick<Config, 'NODE_ENV' | 'LOG_LEVEL'>, part: string, destination?: DestinationStream): Logger {
  const readable = config.NODE_ENV !== 'production' && !destination;
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { part },
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: describeFailure, error: describeFailure },
    ...(readable && {
      transport: {
        target: 'pino-pretty',
        options: { colorize: false, singleLine: true, ignore: 'pid,hostname', translateTime: TIME },
      },
    }),
  };
  return destination ? pino(options, destination) : pino(options);
}
