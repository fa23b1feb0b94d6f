import pino from 'pino';
import type { Logger } from 'pino';
import type { Config } from './config';

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

/** ERROR: a person must act. WARN: something was mended or refused. INFO: life of the process. JSON lines in production, readable otherwise. */
export function createLogger(config: Pick<Config, 'NODE_ENV' | 'LOG_LEVEL'>, part: string): Logger {
  const readable = config.NODE_ENV !== 'production';
  return pino({
    level: config.LOG_LEVEL,
    base: { part },
    redact: { paths: REDACTED, censor: '[redacted]' },
    ...(readable && {
      transport: {
        target: 'pino-pretty',
        options: { colorize: false, singleLine: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' },
      },
    }),
  });
}
